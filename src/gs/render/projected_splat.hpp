// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace gs {

// Three colours of 0 to 65504 with 14 bits of precision and a number below 1024, in one word. What
// is below 2^-15 becomes that, far below a grey level.
struct PackedRgb {
  static constexpr int kBits = 18, kShift = 10;           // of a channel; of a float, left out
  static constexpr uint32_t kBias = uint32_t{112} << 23;  // exponents start at -15
  uint64_t word;

  static constexpr uint64_t pack(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value) + (1u << (kShift - 1));
    return bits < kBias ? 0 : (bits - kBias) >> kShift;
  }
  static constexpr PackedRgb from(float red, float green, float blue, unsigned extra) {
    return {pack(red) | pack(green) << kBits | pack(blue) << 2 * kBits |
            static_cast<uint64_t>(extra) << 3 * kBits};
  }
  constexpr uint32_t channel(int c) const {
    return static_cast<uint32_t>(word >> kBits * c) & ((1u << kBits) - 1);
  }
  constexpr uint32_t extra() const { return static_cast<uint32_t>(word >> 3 * kBits); }
};

// A splat as the image sees it; half a cache line. At distance (dx, dy) from (x, y):
//   log2(alpha) = log2_opacity + a (dx + shear dy)^2 + e dy^2,   a, e < 0
// The inverse covariance is kept as this sum of squares because the usual three coefficients cancel
// for needles: their determinant is a small difference of large floats.
struct ProjectedSplat {
  float x, y;          // px
  float a, shear, e;   // 1/px^2, -, 1/px^2
  float log2_opacity;  // at least -log2(255)
  PackedRgb color;     // and the place in its cluster
};
static_assert(sizeof(ProjectedSplat) == 32);

constexpr int kTileSize = 32;  // px; the state of a tile's pixels stays in an L1 cache

// The tiles that the box around a splat's ellipse (alpha >= 1/255) meets; last included.
struct TileRange {
  uint16_t first_column, last_column, first_row, last_row;
};

constexpr float kLog2Of255 = 7.994353436858858f;

}  // namespace gs
