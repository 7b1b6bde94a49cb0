// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gs_sim/simulator.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

struct LoadedSimulation {
  std::shared_ptr<const WorldData> world;
  Simulator simulator;
};

// A simulation of another world, with the same parameters. Throws gs::Error.
using LoadSimulation = std::function<LoadedSimulation(const std::string& bundle_path)>;

// Puts another simulation where the present one is; whoever refers to that sees the new one.
class WorldSwitcher {
 public:
  // Without `load` every other world is refused.
  WorldSwitcher(LoadedSimulation& simulation, LoadSimulation load);

  // What was paused stays paused. On failure the world before stays.
  RequestResult switchTo(const std::string& bundle_path);

 private:
  LoadedSimulation& simulation_;
  const LoadSimulation load_;
};

}  // namespace gs_sim
