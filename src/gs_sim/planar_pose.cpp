// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/planar_pose.hpp"

#include <cmath>

namespace gs_sim {

PlanarPose planarPoseOf(const EgoPose& pose) {
  const gs::RollPitchYaw angles = gs::toRollPitchYaw(gs::Quat(pose.qw, pose.qx, pose.qy, pose.qz));
  return {pose.x, pose.y, pose.z, angles.roll, angles.pitch, angles.yaw};
}

EgoPose egoPoseOf(const PlanarPose& pose, gs::Stamp stamp) {
  const gs::Quat rotation = gs::fromRollPitchYaw(pose.roll, pose.pitch, pose.yaw);
  return toEgoPose({rotation, gs::Vec3(pose.x, pose.y, pose.z)}, stamp);
}

EgoPose moved(const EgoPose& pose, const PlanarPose& from, double dx, double dy, double yaw) {
  const double in_plane = std::cos(from.pitch);
  PlanarPose to = from;
  to.x += dx * in_plane;
  to.y += dy * in_plane;
  to.yaw = yaw;
  return egoPoseOf(to, pose.stamp);
}

}  // namespace gs_sim
