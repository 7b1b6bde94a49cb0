// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_sim/types.hpp"

namespace gs_sim {

// A pose seen as position, heading and the slope it stands on.
struct PlanarPose {
  double x = 0, y = 0, z = 0;
  double roll = 0, pitch = 0, yaw = 0;
};
PlanarPose planarPoseOf(const EgoPose& pose);
EgoPose egoPoseOf(const PlanarPose& pose, gs::Stamp stamp);

// `pose`, driven (dx, dy) along the road and turned to a new heading. On a slope the way in the
// plane of the map is shorter than the way on the road.
EgoPose moved(const EgoPose& pose, const PlanarPose& from, double dx, double dy, double yaw);

}  // namespace gs_sim
