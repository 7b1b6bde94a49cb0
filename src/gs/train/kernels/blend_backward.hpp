// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "gs/render/kernels/blend_tile.hpp"

namespace gs {

// The derivative of the loss by what blendTile() made of a tile, pixel by pixel. With
//   v_i = rgb_i . g_rgb + depth_i g_depth      what one unit of splat i's weight is worth
//   R_i = sum of w_j v_j over j > i, plus what the background is worth (g_transmittance T)
// the derivative by alpha_i is T_i v_i - R_i / (1 - alpha_i). R_0 is known from the blended image,
// so that R and T both run forward, nearest splat first, and nothing has to be kept or divided out.
struct TileGradient {
  // A tile's blocks just fit into the nearest cache when they hold no more than is used.
  struct alignas(32) Block {
    TileState::Lanes red, green, blue;  // of the loss by the blended sums
    TileState::Lanes rest;              // R_0; the kernel takes it down to what is left
    TileState::Lanes transmittance;     // starts at 1
  };
  struct alignas(32) Extras {
    TileState::Lanes depth;  // of the loss by the blended sum
    TileState::Lanes error;  // what a splat is blamed for, by its weight
  };
  std::array<Block, kTileBlocks> blocks;
  std::array<Extras, kTileBlocks> extras;  // only with extras
  std::array<uint8_t, kTileBlocks> is_opaque;
  int opaque_blocks = 0;

  // Pixels outside width x height of the tile take nothing, as in TileState::clear. All others are
  // the caller's to set.
  void clear(int width, int height);
};

// Sums over the pixels of a tile for one splat, with t = dx + shear dy and l the derivative of the
// loss by log2(alpha): what every derivative by the splat's image is made of.
struct SplatMoments {
  float l, lt, ly, ltt, lty, lyy;
  float red, green, blue;  // derivatives of the loss
  float depth, error;      // likewise, and the blame: zero without extras
  float unused;            // three vectors of four are written
};
static_assert(sizeof(SplatMoments) == 48);

// moments[i] belongs to splats[ids[i]]; splats that the forward pass did not reach get zeros.
// Without extras nothing depends on depth and nobody is blamed, which is faster by a quarter.
void blendBackward(std::span<const ProjectedSplat> splats, const float* depths,
                   std::span<const uint32_t> ids, int x0, int y0, bool has_extras,
                   TileGradient& tile, SplatMoments* moments);

}  // namespace gs
