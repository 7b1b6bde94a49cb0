// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gs_builder {
namespace {

constexpr gs::Duration kReach{400'000'000};  // ns to either side
constexpr size_t kMinPoses = 5;

}  // namespace

EgoMotion motionAt(const EgoTrajectory& trajectory, gs::Stamp stamp) {
  const auto& poses = trajectory.poses();
  const auto begin =
      std::lower_bound(poses.begin(), poses.end(), stamp - kReach,
                       [](const StampedPose& pose, gs::Stamp at) { return pose.stamp < at; });
  const auto end = std::find_if(
      begin, poses.end(), [&](const StampedPose& pose) { return pose.stamp > stamp + kReach; });
  if (static_cast<size_t>(end - begin) < kMinPoses) return {};
  // Rows 1, t, t^2 against x, y and heading, relative to the first so that numbers stay small.
  const gs::Vec3 origin = begin->map_from_base.translation;
  const double first_yaw = gs::toRollPitchYaw(begin->map_from_base.rotation).yaw;
  gs::Mat3 normal = gs::Mat3::Zero(), right = gs::Mat3::Zero();
  for (auto pose = begin; pose != end; ++pose) {
    const double t = gs::toSeconds(pose->stamp - stamp);
    const gs::Vec3 row(1, t, t * t);
    const gs::Vec3 place = pose->map_from_base.translation - origin;
    const double turn = std::remainder(
        gs::toRollPitchYaw(pose->map_from_base.rotation).yaw - first_yaw, 2 * std::numbers::pi);
    normal += row * row.transpose();
    right += row * gs::Vec3(place.x(), place.y(), turn).transpose();
  }
  const gs::Mat3 fit = normal.ldlt().solve(right);
  if (!fit.allFinite()) return {};
  const double yaw = first_yaw + fit(0, 2);
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {.speed = c * fit(1, 0) + s * fit(1, 1),
          .yaw_rate = fit(1, 2),
          .acceleration = 2 * (c * fit(2, 0) + s * fit(2, 1))};
}

}  // namespace gs_builder
