// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// A heightmap as few triangles. Positions count from `origin`, so that maps far from zero keep
// their millimetres.
struct HeightmapTriangles {
  Vec3 origin = Vec3::Zero();
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<uint32_t, 3>> triangles;  // counter-clockwise seen from above
  double tolerance = 0;                            // m, that was kept
};

struct TriangulationOptions {
  double tolerance = 0.01;           // m, by which a halving left out may move the surface
  size_t max_triangles = 4'000'000;  // the tolerance doubles until they suffice
};

// A right-triangulated irregular network (Evans, Kirkpatrick, Townsend 2001): squares of samples
// are halved along their diagonal, and the halves at the middle of their longest edge, until no
// further halving would move the surface by more than the tolerance. An edge is split for both
// its triangles or for none, so there are no cracks. Around NaN everything is split down to single
// cells, and triangles with a NaN corner are left out. Four million samples of a road become a few
// hundred thousand triangles, which rays pass faster than a grid of all of them. No triangles when
// a side has one sample.
HeightmapTriangles triangulate(const Heightmap& map, const TriangulationOptions& options = {});

}  // namespace gs
