// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gs_sim/simulation_host.hpp"

// What people may ask of a running simulation, in the words of no wire: each does it, lets every
// wire know what that changed, and says what came of it. For the loop's thread.
namespace gs_sim {

using Answered = std::function<void(RequestResult)>;

RequestResult pause(SimulationHost& host);
RequestResult resume(SimulationHost& host);
// Only while paused; answers when the last of the steps was published.
void step(SimulationHost& host, uint64_t count, Answered done);
// Without a pose, to the world's own start.
RequestResult reset(SimulationHost& host, const std::optional<EgoPose>& pose, bool reset_time);
RequestResult setEgoPose(SimulationHost& host, const EgoPose& pose, const EgoTwist& twist);
RequestResult loadWorld(SimulationHost& host, const std::string& bundle_path);

}  // namespace gs_sim
