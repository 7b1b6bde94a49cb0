// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// The parameters as they act in a world: what was left to the world, or follows from another
// parameter, has its value, and nothing is absent. Given to a simulation of the same world they
// make the same run. Where nothing is the value (no log to replay, every sensor at its own rate),
// it is the empty text or 0, which loadParameters() reads as absent.
SimulationParameters effectiveParameters(SimulationParameters parameters,
                                         const gs::WorldBundle& world);

FrameNames frameNamesOf(const SimulationParameters& effective);

}  // namespace gs_sim
