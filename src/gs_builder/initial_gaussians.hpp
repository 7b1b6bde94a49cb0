// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/linear.hpp"

namespace gs_builder {

// A point of the coloured LiDAR map, as a splat wants it.
struct SurfacePoint {
  gs::Vec3 position = gs::Vec3::Zero();  // map frame
  gs::Vec3f normal = gs::Vec3f::Zero();  // unit; zero where unknown
  float spacing = 0.1f;                  // m to its neighbours
  std::array<uint8_t, 3> color{128, 128, 128};
};

struct InitialGaussianOptions {
  int sh_degree = 3;  // higher coefficients are zero: the same colour from all sides
  float opacity = 0.9f;
  float thickness = 0.1f;        // across the surface, as a part of the size along it
  size_t max_count = 5'000'000;  // beyond it every n-th point is taken, and made larger
};

// One splat per point: flat on its surface, as large as closes the gap to its neighbours; round
// where no normal is known. What a trainer starts from, and a world to drive in without one.
gs::GaussianCloud initialGaussians(size_t count, const std::function<SurfacePoint(size_t)>& point,
                                   const InitialGaussianOptions& options);

}  // namespace gs_builder
