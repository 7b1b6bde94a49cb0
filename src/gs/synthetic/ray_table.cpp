// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {
namespace {

// Brown's model, with the rational part where a file has it.
Vec2 distortBrown(const CameraIntrinsics& k, const Vec2& p) {
  const double x = p.x(), y = p.y(), r2 = x * x + y * y;
  const double up = 1 + r2 * (k.k1 + r2 * (k.k2 + r2 * k.k3.value_or(0)));
  const double down = 1 + r2 * (k.k4.value_or(0) + r2 * (k.k5.value_or(0) + r2 * k.k6.value_or(0)));
  const double radial = up / down;
  return {x * radial + 2 * k.p1 * x * y + k.p2 * (r2 + 2 * x * x),
          y * radial + k.p1 * (r2 + 2 * y * y) + 2 * k.p2 * x * y};
}

Vec3 undistortBrown(const CameraIntrinsics& k, const Vec2& seen) {
  Vec2 p = seen;
  for (int i = 0; i < 20; ++i) {  // Newton; a handful of steps for any real lens
    const Vec2 error = distortBrown(k, p) - seen;
    if (error.squaredNorm() < 1e-24) break;
    constexpr double kStep = 1e-6;
    const Vec2 dx =
        (distortBrown(k, p + Vec2(kStep, 0)) - distortBrown(k, p - Vec2(kStep, 0))) / (2 * kStep);
    const Vec2 dy =
        (distortBrown(k, p + Vec2(0, kStep)) - distortBrown(k, p - Vec2(0, kStep))) / (2 * kStep);
    const double det = dx.x() * dy.y() - dy.x() * dx.y();
    if (std::abs(det) < 1e-12) break;
    p -= Vec2(dy.y() * error.x() - dy.x() * error.y(), dx.x() * error.y() - dx.y() * error.x()) /
         det;
  }
  return Vec3(p.x(), p.y(), 1).normalized();
}

Vec3 undistortEquidistant(const CameraIntrinsics& k, const Vec2& seen) {
  const double bent = seen.norm();
  double angle = bent;
  const double k3 = k.k3.value_or(0), k4 = k.k4.value_or(0);
  for (int i = 0; i < 20; ++i) {
    const double a2 = angle * angle;
    const double value = angle * (1 + a2 * (k.k1 + a2 * (k.k2 + a2 * (k3 + a2 * k4))));
    const double slope = 1 + a2 * (3 * k.k1 + a2 * (5 * k.k2 + a2 * (7 * k3 + a2 * 9 * k4)));
    if (std::abs(slope) < 1e-9) break;
    const double step = (value - bent) / slope;
    angle -= step;
    if (std::abs(step) < 1e-14) break;
  }
  if (bent < 1e-12) return Vec3::UnitZ();
  const double sine = std::sin(angle);
  return {seen.x() / bent * sine, seen.y() / bent * sine, std::cos(angle)};
}

}  // namespace

RayTable::RayTable(const ViewCamera& camera) : width_(camera.width), height_(camera.height) {
  GS_CHECK(width_ > 0);
  GS_CHECK(height_ > 0);
  const CameraIntrinsics& k = camera.intrinsics;
  const int columns = width_ + 2, rows = height_ + 2;
  rays_.resize(static_cast<size_t>(columns) * rows);
  parallelFor(rows, 16, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (int column = 0; column < columns; ++column) {
        const Vec2 seen((column - 1 - k.cx) / k.fx, (static_cast<double>(row) - 1 - k.cy) / k.fy);
        const Vec3 ray = k.distortion_model == DistortionModel::Equidistant
                             ? undistortEquidistant(k, seen)
                             : undistortBrown(k, seen);
        rays_[row * columns + column] = ray.cast<float>();
      }
  });
  const auto x = static_cast<float>(width_ / 2), y = static_cast<float>(height_ / 2);
  pixel_angle_ = (rayAt(x, y) - rayAt(x + 0.5f, y)).norm() * 2;
}

Vec3f RayTable::rayAt(float x, float y) const {
  const float column = std::clamp(x + 1, 0.0f, static_cast<float>(width_) + 0.999f);
  const float row = std::clamp(y + 1, 0.0f, static_cast<float>(height_) + 0.999f);
  const int i = static_cast<int>(column), j = static_cast<int>(row);
  const float fx = column - static_cast<float>(i), fy = row - static_cast<float>(j);
  const size_t at = static_cast<size_t>(j) * (width_ + 2) + i;
  if (fx == 0 && fy == 0) return rays_[at];
  const Vec3f top = rays_[at] + (rays_[at + 1] - rays_[at]) * fx;
  const size_t below = at + width_ + 2;
  const Vec3f bottom = rays_[below] + (rays_[below + 1] - rays_[below]) * fx;
  return (top + (bottom - top) * fy).normalized();
}

RayTable makeRayTable(const ViewCamera& camera) { return RayTable(camera); }

}  // namespace gs
