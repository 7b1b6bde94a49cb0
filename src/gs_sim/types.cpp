// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/types.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gs/core/error.hpp"

namespace gs_sim {

gs::Rigid3 mapFromBase(const EgoPose& pose) {
  return {gs::Quat(pose.qw, pose.qx, pose.qy, pose.qz), gs::Vec3(pose.x, pose.y, pose.z)};
}

EgoPose toEgoPose(const gs::Rigid3& map_from_base, gs::Stamp stamp) {
  const gs::Vec3& p = map_from_base.translation;
  const gs::Quat& q = map_from_base.rotation;
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), stamp};
}

std::string problemWith(const EgoPose& pose) {
  const auto line = [](gs::ErrorCode code, std::string detail) {
    return std::string(
        gs::Error({.code = code, .component = "EgoStateCore", .message = std::move(detail)})
            .what());
  };
  if (!std::isfinite(pose.x + pose.y + pose.z))
    return line(
        gs::ErrorCode::InvalidTransform,
        fmt::format("position=({:.6g}, {:.6g}, {:.6g}) is not finite", pose.x, pose.y, pose.z));
  const double length = mapFromBase(pose).rotation.norm();
  constexpr double kAlmostUnit = 1e-3;  // more than any rounding makes of a rotation
  if (std::abs(length - 1) <= kAlmostUnit) return "";
  return line(gs::ErrorCode::InvalidQuaternion,
              fmt::format("orientation=({:.6g}, {:.6g}, {:.6g}, {:.6g}) has length {:.6g}, not 1",
                          pose.qx, pose.qy, pose.qz, pose.qw, length));
}

}  // namespace gs_sim
