// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/camera_projection.hpp"

#include <cmath>

namespace gs {

CameraProjection::CameraProjection(const CameraCalibration& camera)
    : intrinsics_(camera.intrinsics),
      width_(camera.image_width),
      height_(camera.image_height),
      is_ros_(camera.camera_convention == CameraConvention::Ros),
      max_radius_(0) {
  // The distorted radius grows with the true one until the polynomial turns round.
  constexpr double kStep = 0.01, kWidest = 4;
  const bool is_angle = intrinsics_.distortion_model == DistortionModel::Equidistant;
  const double end = is_angle ? 3.1 : kWidest;
  double last = 0;
  for (double r = kStep; r <= end; r += kStep) {
    const double now = r * radialFactor(r * r);
    if (!(now > last)) break;
    last = now;
    max_radius_ = r;
  }
}

double CameraProjection::radialFactor(double r2) const {
  const CameraIntrinsics& c = intrinsics_;
  switch (c.distortion_model) {
    case DistortionModel::Equidistant:
      return 1 + r2 * (c.k1 + r2 * (c.k2 + r2 * (c.k3.value_or(0) + r2 * c.k4.value_or(0))));
    case DistortionModel::Rational:
      return (1 + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3.value_or(0)))) /
             (1 + r2 * (c.k4.value_or(0) + r2 * (c.k5.value_or(0) + r2 * c.k6.value_or(0))));
    case DistortionModel::RadTan: break;
  }
  return 1 + r2 * (c.k1 + r2 * (c.k2 + r2 * c.k3.value_or(0)));
}

Vec2 CameraProjection::distorted(double x, double y) const {
  const double r2 = x * x + y * y, radial = radialFactor(r2);
  return {x * radial + 2 * intrinsics_.p1 * x * y + intrinsics_.p2 * (r2 + 2 * x * x),
          y * radial + intrinsics_.p1 * (r2 + 2 * y * y) + 2 * intrinsics_.p2 * x * y};
}

std::optional<CameraProjection::Pixel> CameraProjection::project(const Vec3& p_in_camera) const {
  const Vec3 p = is_ros_ ? Vec3(p_in_camera.x(), -p_in_camera.y(), -p_in_camera.z()) : p_in_camera;
  Vec2 image;
  if (intrinsics_.distortion_model == DistortionModel::Equidistant) {
    const double across = std::hypot(p.x(), p.y());
    const double angle = std::atan2(across, p.z());
    if (!(angle < max_radius_)) return std::nullopt;
    const double scale = across > 1e-12 ? angle * radialFactor(angle * angle) / across : 1 / p.z();
    image = scale * p.head<2>();
  } else {
    if (!(p.z() > 1e-3)) return std::nullopt;
    const double x = p.x() / p.z(), y = p.y() / p.z();
    if (!(x * x + y * y < max_radius_ * max_radius_)) return std::nullopt;
    image = distorted(x, y);
  }
  const Pixel pixel{intrinsics_.fx * image.x() + intrinsics_.cx,
                    intrinsics_.fy * image.y() + intrinsics_.cy, p.z()};
  if (!(pixel.x >= 0 && pixel.y >= 0 && pixel.x <= width_ - 1 && pixel.y <= height_ - 1))
    return std::nullopt;
  return pixel;
}

}  // namespace gs
