// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "gs/render/projected_splat.hpp"
#include "gs/render/tile_binning.hpp"

namespace gs {

// A block of pixels is what one vector holds: 4 wide and 2 high follows the outline of a splat
// better than 8 in a row.
constexpr int kBlockWidth = 4, kBlockHeight = 2, kBlockPixels = kBlockWidth * kBlockHeight;
constexpr int kBlockColumns = kTileSize / kBlockWidth, kBlockRows = kTileSize / kBlockHeight;
constexpr int kTileBlocks = kBlockColumns * kBlockRows;
constexpr size_t kTilePixels = size_t{kTileSize} * kTileSize;

// Where pixel (x, y) of a tile is in the arrays below.
constexpr size_t indexInTile(int x, int y) {
  const int block = y / kBlockHeight * kBlockColumns + x / kBlockWidth;
  return static_cast<size_t>(block * kBlockPixels + y % kBlockHeight * kBlockWidth +
                             x % kBlockWidth);
}

// What is blended so far, block by block.
struct TileState {
  alignas(64) std::array<float, kTilePixels> red, green, blue, transmittance;
  alignas(64) std::array<float, kTilePixels> depth;  // weighted sum, only with extras
  alignas(64) std::array<float, kTilePixels> count;  // only with extras
  std::array<uint8_t, kTileBlocks> is_opaque;        // blocks that take nothing more
  int opaque_blocks = 0;
  uint64_t evaluated_lanes = 0;

  // Pixels outside width x height of the tile take nothing.
  void clear(int width, int height, bool has_extras);
};

// Blends splats[ids...], nearest first, into the tile whose first pixel is (x0, y0). Stops early
// when every pixel is nearly opaque. `depths` is read only with extras.
void blendTile(std::span<const ProjectedSplat> splats, const float* depths,
               std::span<const uint32_t> ids, int x0, int y0, bool has_extras, TileState& state);

// Blended colours plus transmittance times what is behind, times gain, as 8-bit RGB rows of the
// tile: `width` x `height` pixels of it, rows `stride` bytes apart. `behind` is one colour, or with
// `has_sky` one per pixel in the order of the state (red, green, blue arrays of kTilePixels).
void resolveTile(const TileState& state, const float* behind, bool has_sky, const float* gain,
                 int width, int height, uint8_t* rgb, size_t stride);

}  // namespace gs
