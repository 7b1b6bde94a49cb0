// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace gs_builder {
namespace {

// To either side. An acceleration is the second difference of places: over little time it is their
// noise, over more it is blurred where the vehicle begins to brake. So the wider reach counts
// unless one parabola fits it much worse than the narrow one.
constexpr gs::Duration kReach{400'000'000}, kWideReach{800'000'000};
constexpr double kMuchWorse = 2.5, kExact = 0.001;  // times the narrow one's deviation, and m more
constexpr size_t kMinPoses = 5;

// The parabola that fits values best: at time 0 its value, slope and half its curvature.
class Parabola {
 public:
  void add(double t, double value) {
    const gs::Vec3 row(1, t, t * t);
    normal_ += row * row.transpose();
    right_ += row * value;
    square_ += value * value;
    ++count_;
  }
  // Nothing for too few values.
  std::optional<gs::Vec3> fit() const {
    if (count_ < kMinPoses) return std::nullopt;
    const gs::Vec3 found = normal_.ldlt().solve(right_);
    return found.allFinite() ? std::optional(found) : std::nullopt;
  }
  // Of the values from it, as standard deviation.
  double deviation(const gs::Vec3& fit) const {
    const double sum = square_ - 2 * fit.dot(right_) + fit.dot(normal_ * fit);
    return std::sqrt(std::max(0.0, sum) / static_cast<double>(count_ - 3));
  }

 private:
  gs::Mat3 normal_ = gs::Mat3::Zero();
  gs::Vec3 right_ = gs::Vec3::Zero();
  double square_ = 0;
  size_t count_ = 0;
};

double yawOf(const StampedPose& pose) {
  return gs::toRollPitchYaw(pose.map_from_base.rotation).yaw;
}

// From one pose to the next, along the vehicle: backwards is negative.
double stepOf(const StampedPose& from, const StampedPose& to) {
  const double yaw =
      yawOf(from) + std::remainder(yawOf(to) - yawOf(from), 2 * std::numbers::pi) / 2;
  const gs::Vec3 way = to.map_from_base.translation - from.map_from_base.translation;
  return std::cos(yaw) * way.x() + std::sin(yaw) * way.y();
}

}  // namespace

EgoMotion motionAt(const EgoTrajectory& trajectory, gs::Stamp stamp) {
  const auto& poses = trajectory.poses();
  auto pose = std::lower_bound(poses.begin(), poses.end(), stamp - kWideReach,
                               [](const StampedPose& one, gs::Stamp at) { return one.stamp < at; });
  if (pose == poses.end()) return {};
  Parabola near, wide, turns;
  double distance = 0;
  const double first_yaw = yawOf(*pose);
  for (; pose != poses.end() && pose->stamp <= stamp + kWideReach; ++pose) {
    const double t = gs::toSeconds(pose->stamp - stamp);
    wide.add(t, distance);
    if (pose->stamp >= stamp - kReach && pose->stamp <= stamp + kReach) {
      near.add(t, distance);
      turns.add(t, std::remainder(yawOf(*pose) - first_yaw, 2 * std::numbers::pi));
    }
    if (std::next(pose) != poses.end()) distance += stepOf(*pose, *std::next(pose));
  }
  auto along = near.fit();
  const auto turn = turns.fit(), along_wide = wide.fit();
  if (!along || !turn) return {};
  if (along_wide && wide.deviation(*along_wide) <= kMuchWorse * near.deviation(*along) + kExact)
    along = along_wide;
  return {.speed = along->y(), .yaw_rate = turn->y(), .acceleration = 2 * along->z()};
}

std::vector<gs::DrivenPose> drivenPoses(const EgoTrajectory& trajectory) {
  std::vector<gs::DrivenPose> driven;
  for (const StampedPose& pose : trajectory.poses()) {
    const EgoMotion motion = motionAt(trajectory, pose.stamp);
    driven.push_back({pose.map_from_base, motion.acceleration, motion.lateralAcceleration()});
  }
  return driven;
}

}  // namespace gs_builder
