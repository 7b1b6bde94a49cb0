// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/world_switcher.hpp"

namespace gs_sim::testing {

// The minimal world without sensors, as fast as possible.
inline LoadedSimulation minimalSimulation(const std::string& bundle_path = "minimal",
                                          SimulationParameters parameters = {}) {
  parameters.simulation.real_time_factor = 0;
  parameters.world = bundle_path;
  auto world =
      std::make_shared<const WorldData>(WorldData{bundle_path, gs::makeMinimalBundle(), {}});
  return {world, Simulator(world, parameters)};
}

}  // namespace gs_sim::testing
