// SPDX-License-Identifier: Apache-2.0
#include "gs/render/view_frustum.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Beyond the image's edge a splat's picture is made with the Jacobian of the clamped point, see
// LensLimits: a splat of reach r at depth z reaches at most r / z * |(1, 0, -q)| * stretch in x/z.
// A lens stretches its picture towards the edge by no more than this against the middle, or it
// folds before (Lens::max_radius2).
constexpr float kLensStretch = 2;
constexpr double kDilationReach = 2;  // px: sqrt(2 ln 255 * 0.3)

}  // namespace

ViewFrustum::ViewFrustum(const Lens& lens, const Rigid3& map_from_opencv, double near_plane,
                         double far_plane)
    : eye_(map_from_opencv.translation.cast<float>()),
      is_fisheye_(lens.isFisheye()),
      axis_((map_from_opencv.rotation * Vec3::UnitZ()).cast<float>()),
      cull_angle_(static_cast<float>(lens.limits().cull_angle)),
      near_(static_cast<float>(near_plane)),
      far_(static_cast<float>(far_plane)) {
  if (is_fisheye_) return;
  const LensLimits& limits = lens.limits();
  const float stretch = lens.isPinhole() ? 1 : kLensStretch;
  const auto add = [&](const Vec3& normal, double q, double offset) {
    planes_.push_back({(map_from_opencv.rotation * normal).cast<float>(),
                       static_cast<float>(std::sqrt(1 + q * q)) * stretch,
                       static_cast<float>(offset)});
  };
  const double dx = stretch * kDilationReach / lens.intrinsics().fx;
  const double dy = stretch * kDilationReach / lens.intrinsics().fy;
  const double qx = std::max(std::abs(limits.clamp_x_min), std::abs(limits.clamp_x_max));
  const double qy = std::max(std::abs(limits.clamp_y_min), std::abs(limits.clamp_y_max));
  add({1, 0, -(limits.x_min - dx)}, qx, 0);
  add({-1, 0, limits.x_max + dx}, qx, 0);
  add({0, 1, -(limits.y_min - dy)}, qy, 0);
  add({0, -1, limits.y_max + dy}, qy, 0);
  planes_.push_back({axis_, 0, -near_});
  planes_.push_back({-axis_, 0, far_});
}

bool ViewFrustum::maySee(const SplatBox& box) const {
  const Vec3f low(box.low[0], box.low[1], box.low[2]), high(box.high[0], box.high[1], box.high[2]);
  const Vec3f middle = 0.5f * (low + high) - eye_, half = 0.5f * (high - low);
  // Rounding of coordinates far from the origin must not cost a splat.
  const float slack = 1e-5f * (1 + low.cwiseAbs().maxCoeff() + high.cwiseAbs().maxCoeff());
  if (is_fisheye_) {
    const float radius = half.norm() + slack, distance = middle.norm();
    if (distance - radius > far_ || distance + radius < near_) return false;
    if (distance <= radius) return true;
    const float angle = std::atan2(middle.cross(axis_).norm(), middle.dot(axis_));
    return angle - std::asin(radius / distance) <= cull_angle_;
  }
  for (const Plane& plane : planes_) {
    const float best = plane.normal.dot(middle) + plane.normal.cwiseAbs().dot(half) +
                       plane.per_reach * box.reach + plane.offset;
    if (best < -slack) return false;
  }
  return true;
}

std::vector<uint32_t> findVisibleClusters(const SplatScene& scene, const ViewFrustum& frustum) {
  using Part = std::vector<uint32_t>;
  return parallelReduce(
      scene.groups.size(), 16, Part{},
      [&](size_t begin, size_t end) {
        Part part;
        for (size_t group = begin; group < end; ++group) {
          if (!frustum.maySee(scene.groups[group])) continue;
          const size_t last = std::min(scene.clusters.size(), (group + 1) * kGroupSize);
          for (size_t i = group * kGroupSize; i < last; ++i)
            if (frustum.maySee(scene.clusters[i])) part.push_back(static_cast<uint32_t>(i));
        }
        return part;
      },
      [](Part all, const Part& part) {
        all.insert(all.end(), part.begin(), part.end());
        return all;
      });
}

}  // namespace gs
