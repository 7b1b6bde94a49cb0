// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/types.hpp"

namespace gs_sim {

gs::Rigid3 mapFromBase(const EgoPose& pose) {
  return {gs::Quat(pose.qw, pose.qx, pose.qy, pose.qz), gs::Vec3(pose.x, pose.y, pose.z)};
}

EgoPose toEgoPose(const gs::Rigid3& map_from_base, gs::Stamp stamp) {
  const gs::Vec3& p = map_from_base.translation;
  const gs::Quat& q = map_from_base.rotation;
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), stamp};
}

}  // namespace gs_sim
