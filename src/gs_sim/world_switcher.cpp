// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/world_switcher.hpp"

#include <utility>

#include "gs/core/error.hpp"

namespace gs_sim {

WorldSwitcher::WorldSwitcher(LoadedSimulation& simulation, LoadSimulation load)
    : simulation_(simulation), load_(std::move(load)) {}

RequestResult WorldSwitcher::switchTo(const std::string& bundle_path) {
  if (!load_) return {false, "no other world can be loaded while this one is recorded"};
  const bool was_paused = simulation_.simulator.isPaused();
  try {
    simulation_ = load_(bundle_path);
  } catch (const gs::Error& error) {  // a person asked over the wire; the answer goes back there
    return {false, error.what()};
  }
  simulation_.simulator.setPaused(was_paused);
  return {true, "loaded " + bundle_path};
}

}  // namespace gs_sim
