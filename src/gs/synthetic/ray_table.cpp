// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"
#include "gs/render/camera.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {

RayTable::RayTable(const ViewCamera& camera) : width_(camera.width), height_(camera.height) {
  GS_CHECK(width_ > 0);
  GS_CHECK(height_ > 0);
  const Lens lens({camera.width, camera.height, camera.intrinsics});
  const int columns = width_ + 2, rows = height_ + 2;
  rays_.resize(static_cast<size_t>(columns) * rows);
  parallelFor(rows, 16, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (int column = 0; column < columns; ++column)
        rays_[row * columns + column] =
            lens.rayAt(column - 1, static_cast<double>(row) - 1).cast<float>();
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
