// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/geometry/measure_base_link.hpp"
#include "gs_builder/ego_trajectory.hpp"

namespace gs_builder {

// How the vehicle moved over the ground, seen from above.
struct EgoMotion {
  double speed = 0;     // m/s along the vehicle, forwards positive
  double yaw_rate = 0;  // rad/s, to the left positive
  double acceleration = 0;

  double lateralAcceleration() const { return speed * yaw_rate; }
};

// Parabolas through the poses around a time: recorded poses are noisy, and two differences of them
// would be noise alone. All 0 where fewer than five poses are near.
EgoMotion motionAt(const EgoTrajectory& trajectory, gs::Stamp stamp);

// All poses with it, as measureBaseLinkOver wants them.
std::vector<gs::DrivenPose> drivenPoses(const EgoTrajectory& trajectory);

}  // namespace gs_builder
