// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gs {

// A splat as the image sees it; half a cache line. At distance (dx, dy) from (x, y):
//   log2(alpha) = log2_opacity + a (dx + shear dy)^2 + e dy^2,   a, e < 0
// The inverse covariance is kept as this sum of squares because the usual three coefficients cancel
// for needles: their determinant is a small difference of large floats.
struct ProjectedSplat {
  float x, y;          // px
  float a, shear, e;   // 1/px^2, -, 1/px^2
  float log2_opacity;  // at least -log2(255)
  uint16_t rgb[3];     // half floats
  uint16_t place;      // in its cluster
};
static_assert(sizeof(ProjectedSplat) == 32);

constexpr int kTileSize = 32;  // px; the state of a tile's pixels stays in an L1 cache

// The tiles that the box around a splat's ellipse (alpha >= 1/255) meets; last included.
struct TileRange {
  uint16_t first_column, last_column, first_row, last_row;
};

constexpr float kLog2Of255 = 7.994353436858858f;

}  // namespace gs
