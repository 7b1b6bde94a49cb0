// SPDX-License-Identifier: Apache-2.0
#include "gs/render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

struct Distorted {
  Vec2 point;
  Eigen::Matrix2d derivative;
};

// Brown's model, with the rational part where a file has it: the point, and with its derivative.
Vec2 brownPoint(const CameraIntrinsics& k, const Vec2& p) {
  const double x = p.x(), y = p.y(), r2 = x * x + y * y;
  const double up = 1 + r2 * (k.k1 + r2 * (k.k2 + r2 * k.k3.value_or(0)));
  const double down = 1 + r2 * (k.k4.value_or(0) + r2 * (k.k5.value_or(0) + r2 * k.k6.value_or(0)));
  const double radial = up / down;
  return {x * radial + 2 * k.p1 * x * y + k.p2 * (r2 + 2 * x * x),
          y * radial + k.p1 * (r2 + 2 * y * y) + 2 * k.p2 * x * y};
}

Distorted distortBrown(const CameraIntrinsics& k, const Vec2& p) {
  const double x = p.x(), y = p.y(), r2 = x * x + y * y;
  const double k3 = k.k3.value_or(0), k4 = k.k4.value_or(0), k5 = k.k5.value_or(0),
               k6 = k.k6.value_or(0);
  const double up = 1 + r2 * (k.k1 + r2 * (k.k2 + r2 * k3));
  const double down = 1 + r2 * (k4 + r2 * (k5 + r2 * k6));
  const double up_by_r2 = k.k1 + r2 * (2 * k.k2 + r2 * 3 * k3);
  const double down_by_r2 = k4 + r2 * (2 * k5 + r2 * 3 * k6);
  const double radial = up / down;
  const double slope = 2 * (up_by_r2 - radial * down_by_r2) / down;  // d radial / d r2, times 2
  Distorted d;
  d.point = brownPoint(k, p);
  const double mixed = x * y * slope + 2 * k.p1 * x + 2 * k.p2 * y;
  d.derivative << radial + x * x * slope + 2 * k.p1 * y + 6 * k.p2 * x, mixed,  //
      mixed, radial + y * y * slope + 6 * k.p1 * y + 2 * k.p2 * x;
  return d;
}

// d(angle) and its derivative.
struct Bent {
  double value, slope;
};
Bent bendEquidistant(const CameraIntrinsics& k, double angle) {
  const double a2 = angle * angle, k3 = k.k3.value_or(0), k4 = k.k4.value_or(0);
  return {angle * (1 + a2 * (k.k1 + a2 * (k.k2 + a2 * (k3 + a2 * k4)))),
          1 + a2 * (3 * k.k1 + a2 * (5 * k.k2 + a2 * (7 * k3 + a2 * 9 * k4)))};
}

// The largest argument up to which a lens still grows, with a little distance to the fold.
template <typename Slope>
double growsUpTo(double end, const Slope& slope) {
  constexpr int kSteps = 2000;
  for (int i = 1; i <= kSteps; ++i)
    if (!(slope(end * i / kSteps) > 0.05)) return end * (i - 1) / kSteps;
  return end;
}

double brownRadialSlope(const CameraIntrinsics& k, double r) {
  return distortBrown(k, {r, 0}).derivative(0, 0) - 6 * k.p2 * r;  // without the tangential part
}

// Newton; a handful of steps for any real lens. What lies beyond the fold of the polynomial has no
// answer: the nearest point before it is taken.
Vec2 undistortBrown(const CameraIntrinsics& k, const Vec2& seen, double max_radius2) {
  Vec2 p = seen;
  for (int i = 0; i < 30; ++i) {
    if (p.squaredNorm() > max_radius2) p *= std::sqrt(max_radius2 / p.squaredNorm());
    const Distorted d = distortBrown(k, p);
    const Vec2 error = d.point - seen;
    if (error.squaredNorm() < 1e-24) break;
    if (std::abs(d.derivative.determinant()) < 1e-9) break;
    p -= d.derivative.inverse() * error;
  }
  if (!p.allFinite()) return seen;
  if (p.squaredNorm() > max_radius2) p *= std::sqrt(max_radius2 / p.squaredNorm());
  return p;
}

double undistortEquidistant(const CameraIntrinsics& k, double bent, double max_angle) {
  const Bent last = bendEquidistant(k, max_angle);
  if (bent >= last.value) return max_angle + (bent - last.value) / last.slope;
  double low = 0, high = max_angle, angle = std::min(bent, max_angle);
  for (int i = 0; i < 60; ++i) {  // Newton, kept inside a shrinking bracket
    const Bent at = bendEquidistant(k, angle);
    (at.value < bent ? low : high) = angle;
    const double step = (at.value - bent) / at.slope;
    if (std::abs(step) < 1e-15) break;
    angle -= step;
    if (!(angle > low && angle < high)) angle = (low + high) / 2;
  }
  return angle;
}

void requireUsable(const Camera& camera) {
  const CameraIntrinsics& k = camera.intrinsics;
  const auto refuse = [&](const std::string& what) {
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "renderer",
                 .message = "this camera cannot make an image: " + what,
                 .suggestion = "Check the camera's size and intrinsics in calibration.yaml."});
  };
  constexpr int kMaxSize = 32768;
  if (camera.width < 1 || camera.height < 1 || camera.width > kMaxSize || camera.height > kMaxSize)
    refuse(fmt::format("its size is {} x {}", camera.width, camera.height));
  for (const double f : {k.fx, k.fy})
    if (!(f > 0) || !std::isfinite(f)) refuse(fmt::format("a focal length is {}", f));
  for (const double v : {k.cx, k.cy, k.k1, k.k2, k.p1, k.p2, k.k3.value_or(0), k.k4.value_or(0),
                         k.k5.value_or(0), k.k6.value_or(0)})
    if (!std::isfinite(v)) refuse("its intrinsics are not all finite");
}

}  // namespace

Camera cameraOf(const CameraCalibration& calibration) {
  return {calibration.image_width, calibration.image_height, calibration.intrinsics,
          calibration.camera_convention};
}

Quat opencvFromCamera(CameraConvention convention) {
  // ros: x right, y up, z backward; half a turn about x.
  return convention == CameraConvention::OpenCv ? Quat::Identity() : Quat(0, 1, 0, 0);
}

Lens::Lens(const Camera& camera)
    : k_(camera.intrinsics),
      is_fisheye_(k_.distortion_model == DistortionModel::Equidistant),
      is_pinhole_(false) {
  requireUsable(camera);
  if (k_.distortion_model == DistortionModel::RadTan) k_.k4 = k_.k5 = k_.k6 = std::nullopt;
  is_pinhole_ = !is_fisheye_ && k_.k1 == 0 && k_.k2 == 0 && k_.p1 == 0 && k_.p2 == 0 &&
                k_.k3.value_or(0) == 0 && k_.k4.value_or(0) == 0 && k_.k5.value_or(0) == 0 &&
                k_.k6.value_or(0) == 0;
  constexpr double kMaxTangent = 20;  // 87 degrees: beyond, a perspective image is no use
  limits_.max_angle =
      is_fisheye_ ? growsUpTo(std::numbers::pi,
                              [&](double angle) { return bendEquidistant(k_, angle).slope; })
                  : 0;
  const double max_radius =
      is_fisheye_ || is_pinhole_
          ? 1e6
          : growsUpTo(kMaxTangent, [&](double r) { return brownRadialSlope(k_, r); });
  limits_.max_radius2 = max_radius * max_radius;

  limits_.x_min = limits_.y_min = 1e9;
  limits_.x_max = limits_.y_max = -1e9;
  const auto visit = [&](double x_px, double y_px) {
    const Vec3 ray = rayAt(x_px, y_px);
    limits_.cull_angle = std::max(limits_.cull_angle, std::atan2(ray.head<2>().norm(), ray.z()));
    if (is_fisheye_) return;
    const Vec2 p = ray.head<2>() / ray.z();
    limits_.x_min = std::min(limits_.x_min, p.x());
    limits_.x_max = std::max(limits_.x_max, p.x());
    limits_.y_min = std::min(limits_.y_min, p.y());
    limits_.y_max = std::max(limits_.y_max, p.y());
  };
  constexpr int kSteps = 64;  // the border of the image, half a pixel outside the outermost centres
  for (int i = 0; i <= kSteps; ++i) {
    const double x = camera.width * static_cast<double>(i) / kSteps - 0.5;
    const double y = camera.height * static_cast<double>(i) / kSteps - 0.5;
    visit(x, -0.5);
    visit(x, camera.height - 0.5);
    visit(-0.5, y);
    visit(camera.width - 0.5, y);
  }
  limits_.cull_angle = std::min(limits_.cull_angle + kBeyondFisheye, 3.0);
  const double margin_x = 0.15 * (limits_.x_max - limits_.x_min);
  const double margin_y = 0.15 * (limits_.y_max - limits_.y_min);
  limits_.clamp_x_min = limits_.x_min - margin_x;
  limits_.clamp_x_max = limits_.x_max + margin_x;
  limits_.clamp_y_min = limits_.y_min - margin_y;
  limits_.clamp_y_max = limits_.y_max + margin_y;
}

std::optional<Lens::ImagePoint> Lens::project(const Vec3& p) const {
  ImagePoint result;
  if (is_fisheye_) {
    const double range = p.norm();
    // Never zero, so that the axis itself needs no case of its own.
    const double rho = std::sqrt(p.head<2>().squaredNorm() + 1e-12 * range * range);
    const double angle = std::atan2(rho, p.z());
    if (!(range > 0) || angle > limits_.cull_angle) return std::nullopt;
    const double inside = std::min(angle, limits_.max_angle);
    const Bent bent = bendEquidistant(k_, inside);
    const double d = bent.value + bent.slope * (angle - inside);
    const Vec2 n = p.head<2>() / rho;
    const Vec3 angle_by_point = Vec3(p.z() * n.x(), p.z() * n.y(), -rho) / (range * range);
    result.px_by_point = bent.slope * n * angle_by_point.transpose();
    result.px_by_point.leftCols<2>() += d / rho * (Eigen::Matrix2d::Identity() - n * n.transpose());
    result.px = d * n;
  } else {
    if (!(p.z() > 0)) return std::nullopt;
    const Vec2 at = p.head<2>() / p.z();
    Vec2 q(std::clamp(at.x(), limits_.clamp_x_min, limits_.clamp_x_max),
           std::clamp(at.y(), limits_.clamp_y_min, limits_.clamp_y_max));
    if (q.squaredNorm() > limits_.max_radius2)
      q *= std::sqrt(limits_.max_radius2 / q.squaredNorm());
    const Distorted d =
        is_pinhole_ ? Distorted{q, Eigen::Matrix2d::Identity()} : distortBrown(k_, q);
    result.px = d.point + d.derivative * (at - q);
    Jacobian perspective;
    perspective << 1, 0, -q.x(), 0, 1, -q.y();
    result.px_by_point = d.derivative * perspective / p.z();
  }
  const Vec2 f(k_.fx, k_.fy);
  result.px = result.px.cwiseProduct(f) + Vec2(k_.cx, k_.cy);
  result.px_by_point = f.asDiagonal() * result.px_by_point;
  return result;
}

std::optional<Vec2> Lens::pixelOf(const Vec3& p) const {
  const Vec2 at = p.head<2>() / p.z();
  const bool is_inside = !is_fisheye_ && p.z() > 0 && at.x() >= limits_.clamp_x_min &&
                         at.x() <= limits_.clamp_x_max && at.y() >= limits_.clamp_y_min &&
                         at.y() <= limits_.clamp_y_max && at.squaredNorm() <= limits_.max_radius2;
  if (is_inside) {
    const Vec2 bent = is_pinhole_ ? at : brownPoint(k_, at);
    return Vec2(k_.fx * bent.x() + k_.cx, k_.fy * bent.y() + k_.cy);
  }
  const auto point = project(p);
  if (!point) return std::nullopt;
  return point->px;
}

Vec3 Lens::rayAt(double x_px, double y_px) const {
  const Vec2 seen((x_px - k_.cx) / k_.fx, (y_px - k_.cy) / k_.fy);
  if (!is_fisheye_) {
    const Vec2 p = is_pinhole_ ? seen : undistortBrown(k_, seen, limits_.max_radius2);
    return Vec3(p.x(), p.y(), 1).normalized();
  }
  const double bent = seen.norm();
  if (bent < 1e-12) return Vec3::UnitZ();
  const double angle =
      std::min(undistortEquidistant(k_, bent, limits_.max_angle), std::numbers::pi);
  const double sine = std::sin(angle);
  return {seen.x() / bent * sine, seen.y() / bent * sine, std::cos(angle)};
}

}  // namespace gs
