// SPDX-License-Identifier: Apache-2.0
#include "gs/core/rigid3.hpp"

#include <algorithm>
#include <cmath>

namespace gs {

Rigid3 Rigid3::operator*(const Rigid3& right) const {
  // Renormalised so that a chain of a million steps is still a rotation.
  return {(rotation * right.rotation).normalized(), rotation * right.translation + translation};
}

Rigid3 Rigid3::inverse() const {
  const Quat back = rotation.conjugate();
  return {back, -(back * translation)};
}

Mat4 Rigid3::matrix() const {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = rotation.toRotationMatrix();
  m.topRightCorner<3, 1>() = translation;
  return m;
}

Quat fromXyzw(const std::array<double, 4>& xyzw) {
  return Quat(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
}

std::array<double, 4> toXyzw(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

bool isUnit(const std::array<double, 4>& xyzw) {
  const double norm =
      std::sqrt(xyzw[0] * xyzw[0] + xyzw[1] * xyzw[1] + xyzw[2] * xyzw[2] + xyzw[3] * xyzw[3]);
  return std::abs(norm - 1.0) <= kUnitQuaternionTolerance;
}

std::optional<Quat> findRotation(const std::array<double, 4>& xyzw) {
  const Quat q = fromXyzw(xyzw);
  const double norm = q.norm();
  if (!std::isfinite(norm) || norm < 1e-3) return std::nullopt;
  return Quat(q.coeffs() / norm);
}

Quat fromRollPitchYaw(double roll, double pitch, double yaw) {
  return Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
         Eigen::AngleAxisd(roll, Vec3::UnitX());
}

RollPitchYaw toRollPitchYaw(const Quat& q) {
  const Mat3 r = q.toRotationMatrix();
  RollPitchYaw result;
  result.pitch = std::asin(std::clamp(-r(2, 0), -1.0, 1.0));
  if (std::abs(r(2, 0)) < 1.0 - 1e-12) {
    result.roll = std::atan2(r(2, 1), r(2, 2));
    result.yaw = std::atan2(r(1, 0), r(0, 0));
  } else {  // looking straight up or down: only yaw - roll is defined, so roll is taken as zero
    result.yaw = std::atan2(-r(0, 1), r(1, 1));
  }
  return result;
}

Rigid3 interpolate(const Rigid3& a, const Rigid3& b, double fraction) {
  return {a.rotation.slerp(fraction, b.rotation).normalized(),
          a.translation + fraction * (b.translation - a.translation)};
}

}  // namespace gs
