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

// Where pixel (x, y) of a tile is: its block, and its lane in there.
struct PlaceInTile {
  size_t block, lane;
};
constexpr PlaceInTile placeInTile(int x, int y) {
  return {static_cast<size_t>(y / kBlockHeight * kBlockColumns + x / kBlockWidth),
          static_cast<size_t>(y % kBlockHeight * kBlockWidth + x % kBlockWidth)};
}

// What is blended so far.
struct TileState {
  using Lanes = std::array<float, kBlockPixels>;
  // Together, because they are used together.
  struct alignas(64) Block {
    Lanes red, green, blue, transmittance;
  };
  struct alignas(64) Extras {
    Lanes depth, count;  // depth is a weighted sum
  };
  std::array<Block, kTileBlocks> blocks;
  std::array<Extras, kTileBlocks> extras;      // only with extras
  std::array<uint8_t, kTileBlocks> is_opaque;  // blocks that take nothing more
  int opaque_blocks = 0;
  uint64_t evaluated_lanes = 0;

  // Pixels outside width x height of the tile take nothing.
  void clear(int width, int height, bool has_extras);
};

// The sky behind a tile, block by block as above.
struct TileBackdrop {
  struct alignas(64) Block {
    std::array<TileState::Lanes, 3> rgb;
  };
  std::array<Block, kTileBlocks> blocks;
};

// Blends splats[ids...], nearest first, into the tile whose first pixel is (x0, y0). Stops early
// when every pixel is nearly opaque. `depths` is read only with extras.
void blendTile(std::span<const ProjectedSplat> splats, const float* depths,
               std::span<const uint32_t> ids, int x0, int y0, bool has_extras, TileState& state);

// Blended colours plus transmittance times what is behind, times gain, as 8-bit RGB rows of the
// tile: `width` x `height` pixels of it, rows `stride` bytes apart. Behind is the backdrop, or one
// colour when that is null.
void resolveTile(const TileState& state, const TileBackdrop* backdrop,
                 const std::array<float, 3>& background, const std::array<float, 3>& gain,
                 int width, int height, uint8_t* rgb, size_t stride);

}  // namespace gs
