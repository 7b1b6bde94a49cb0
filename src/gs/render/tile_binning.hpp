// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gs/core/aligned.hpp"
#include "gs/render/projected_splat.hpp"

namespace gs {

struct TileGrid {
  TileGrid(int width, int height)
      : columns((width + kTileSize - 1) / kTileSize), rows((height + kTileSize - 1) / kTileSize) {}
  int columns, rows;
  size_t size() const { return static_cast<size_t>(columns) * rows; }
};

// For each tile the splats whose ellipse (alpha >= 1/255) meets it, in the order of `splats`. Keeps
// its memory from frame to frame.
class TileBins {
 public:
  // Distributes splats from `first` on and returns where it stopped: at the end, or when the pairs
  // exceed `max_entries`. A tile of which `is_done` says 1 takes nothing more (may be empty).
  size_t fill(const TileGrid& grid, std::span<const ProjectedSplat> splats,
              std::span<const TileRange> ranges, size_t first, std::span<const uint8_t> is_done,
              size_t max_entries);

  std::span<const uint32_t> splatsOf(size_t tile) const {
    return {entries_.data() + begins_[tile], begins_[tile + 1] - begins_[tile]};
  }
  size_t firstEntryOf(size_t tile) const { return begins_[tile]; }
  // Where the pairs of a splat stand among all entries, tile by tile. After fillWithPlaces() only.
  std::span<const uint32_t> entriesOf(size_t splat) const {
    return {places_.data() + first_places_[splat], first_places_[splat + 1] - first_places_[splat]};
  }
  // fill() of all splats at once, and the way back from a splat to its entries.
  void fillWithPlaces(const TileGrid& grid, std::span<const ProjectedSplat> splats,
                      std::span<const TileRange> ranges);
  size_t entryCount() const { return begins_.empty() ? 0 : begins_.back(); }

 private:
  struct Pair {
    uint32_t tile, splat;
  };
  // Consecutive splats [begin, end) and their pairs; counts per tile, which then become places.
  struct Block {
    size_t begin = 0, end = 0;
    AlignedVector<Pair> pairs;  // the first `size` are used
    size_t size = 0;
    std::vector<uint32_t> counts;
  };
  static void distribute(const TileGrid& grid, std::span<const ProjectedSplat> splats,
                         std::span<const TileRange> ranges, std::span<const uint8_t> is_done,
                         size_t max_pairs, Block& block);

  std::vector<Block> blocks_;
  size_t used_blocks_ = 0;
  std::vector<size_t> begins_;
  AlignedVector<uint32_t> entries_;
  AlignedVector<uint32_t> places_, first_places_;
};

}  // namespace gs
