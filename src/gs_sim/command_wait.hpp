// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs_sim/driving_seat.hpp"
#include "gs_sim/simulation_host.hpp"

namespace gs_sim {

// Asks every wire for the command of the step after `last`; one in lock-step waits for it. Of
// several commands that of the wire that was opened last counts. Beside a script only those wires
// are asked that may take the wheel from it.
Heard awaitCommand(const std::vector<SimulationWire*>& wires, const StepInfo& last,
                   bool has_script);

}  // namespace gs_sim
