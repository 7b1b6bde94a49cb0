// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "gs/core/linear.hpp"

namespace gs {

// A rigid transform, always named b_from_a: p_in_b = b_from_a * p_in_a. Compose by matching names:
// map_from_camera = map_from_base * base_from_camera.
struct Rigid3 {
  Quat rotation = Quat::Identity();
  Vec3 translation = Vec3::Zero();

  Vec3 operator*(const Vec3& p) const { return rotation * p + translation; }
  Rigid3 operator*(const Rigid3& right) const;
  Rigid3 inverse() const;
  Mat4 matrix() const;
};

// Files and ROS order quaternions x, y, z, w; these two are the only crossings. `fromXyzw` expects
// a quaternion already checked by isUnit and keeps its bits.
Quat fromXyzw(const std::array<double, 4>& xyzw);
std::array<double, 4> toXyzw(const Quat& q);

// The specification's tolerance for every quaternion in a file or message.
constexpr double kUnitQuaternionTolerance = 1e-6;
bool isUnit(const std::array<double, 4>& xyzw);  // false for NaN

// Made unit; empty for NaN and for what is too short to be a rotation.
std::optional<Quat> findRotation(const std::array<double, 4>& xyzw);

// Intrinsic Z-Y-X: yaw about z, then pitch about the new y, then roll about the new x.
Quat fromRollPitchYaw(double roll, double pitch, double yaw);
struct RollPitchYaw {
  double roll = 0, pitch = 0, yaw = 0;
};
RollPitchYaw toRollPitchYaw(const Quat& q);  // pitch in [-pi/2, pi/2]

// Straight line for the translation, slerp along the shorter arc for the rotation; fraction 0 is a.
Rigid3 interpolate(const Rigid3& a, const Rigid3& b, double fraction);

}  // namespace gs
