// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gs_builder/evaluation.hpp"
#include "gs_sim/simulator.hpp"

namespace apps {

// The simulator's ego and cameras, for measuring what the closed loop would show at the places of a
// recorded drive: of a recorded pose only x, y and heading are taken, and how the vehicle moved
// there; the rest is the simulator's.
class SimulatedEgo {
 public:
  explicit SimulatedEgo(std::shared_ptr<const gs_sim::WorldData> world);

  // Throws INPUT_INVALID when the camera makes no image there.
  gs_builder::SimulatedView viewAt(const std::string& camera_id,
                                   const gs::Rigid3& recorded_map_from_base,
                                   const gs_builder::EgoMotion& motion);

 private:
  gs_sim::Simulator simulator_;
  gs_sim::Sensors cameras_;
};

}  // namespace apps
