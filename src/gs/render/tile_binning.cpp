// SPDX-License-Identifier: Apache-2.0
#include "gs/render/tile_binning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kBlockSize = 4096;
constexpr float kSlack = 0.01f;  // px: rounding must not cost a tile its splat

// The ellipse log2(alpha) = -log2(255) of a splat, cut by horizontal lines.
struct Ellipse {
  explicit Ellipse(const ProjectedSplat& s)
      : x(s.x),
        y(s.y),
        shear(s.shear),
        levels(s.log2_opacity + kLog2Of255),
        inverse_a(-1 / s.a),
        e(s.e),
        half_height(std::sqrt(levels / -s.e)) {
    // |dx + shear dy| <= sqrt(levels / -a - ...): the widest reach in x is over both terms.
    half_width = std::sqrt(levels * (inverse_a + shear * shear / -e));
    // Where dx is largest: dy = -shear * (levels / -e) / half_width.
    dy_of_right = half_width > 0 ? -shear * (levels / -e) / half_width : 0;
  }
  // Largest and smallest x between two lines, relative to y, that cut or enclose the ellipse.
  float rightBetween(float dy0, float dy1) const {
    return x + (dy0 <= dy_of_right && dy_of_right <= dy1 ? half_width
                                                         : cut(dy_of_right < dy0 ? dy0 : dy1, 1));
  }
  float leftBetween(float dy0, float dy1) const {
    return x + (dy0 <= -dy_of_right && -dy_of_right <= dy1
                    ? -half_width
                    : cut(-dy_of_right < dy0 ? dy0 : dy1, -1));
  }
  float cut(float dy, float side) const {
    const float within = std::max(0.0f, levels + e * dy * dy);
    return -shear * dy + side * std::sqrt(within * inverse_a);
  }

  float x, y, shear, levels, inverse_a, e, half_height, half_width, dy_of_right;
};

// The columns of tiles between two x, within a splat's range.
struct Columns {
  int first, last;
};
Columns columnsBetween(float left, float right, const TileRange& range) {
  constexpr float kPerTile = 1.0f / kTileSize;
  const auto low = static_cast<float>(range.first_column);
  const auto high = static_cast<float>(range.last_column);
  return {static_cast<int>(std::clamp((left - kSlack) * kPerTile, low, high)),
          static_cast<int>(std::clamp((right + kSlack) * kPerTile, low, high))};
}

template <typename Visit>
void forEachTile(const TileGrid& grid, const ProjectedSplat& splat, const TileRange& range,
                 const Visit& visit) {
  if (range.first_row == range.last_row || range.first_column == range.last_column) {
    for (int row = range.first_row; row <= range.last_row; ++row)  // no corners to leave out
      for (int column = range.first_column; column <= range.last_column; ++column)
        visit(row * grid.columns + column);
    return;
  }
  const Ellipse ellipse(splat);
  for (int row = range.first_row; row <= range.last_row; ++row) {
    const float top = static_cast<float>(row * kTileSize) - ellipse.y;
    const float dy0 = std::max(top, -ellipse.half_height);
    const float dy1 = std::min(top + kTileSize - 1, ellipse.half_height);
    const Columns columns =
        columnsBetween(ellipse.leftBetween(dy0, dy1), ellipse.rightBetween(dy0, dy1), range);
    for (int column = columns.first; column <= columns.last; ++column)
      visit(row * grid.columns + column);
  }
}

}  // namespace

void TileBins::distribute(const TileGrid& grid, std::span<const ProjectedSplat> splats,
                          std::span<const TileRange> ranges, std::span<const uint8_t> is_done,
                          size_t max_pairs, Block& block) {
  block.counts.assign(grid.size(), 0);
  block.size = 0;
  const size_t end = std::min(splats.size(), block.begin + kBlockSize);
  for (block.end = block.begin; block.end < end && block.size <= max_pairs; ++block.end) {
    const TileRange& range = ranges[block.end];
    const size_t most = static_cast<size_t>(range.last_column - range.first_column + 1) *
                        static_cast<size_t>(range.last_row - range.first_row + 1);
    if (block.pairs.size() < block.size + most) block.pairs.resize(2 * (block.size + most));
    Pair* next = block.pairs.data() + block.size;
    forEachTile(grid, splats[block.end], range, [&](int tile) {
      if (!is_done.empty() && is_done[tile]) return;
      ++block.counts[tile];
      *next++ = {static_cast<uint32_t>(tile), static_cast<uint32_t>(block.end)};
    });
    block.size = static_cast<size_t>(next - block.pairs.data());
  }
}

size_t TileBins::fill(const TileGrid& grid, std::span<const ProjectedSplat> splats,
                      std::span<const TileRange> ranges, size_t first,
                      std::span<const uint8_t> is_done, size_t max_entries) {
  // A million splats that each fill the image must not need all their pairs at once: a few blocks
  // show how many pairs to expect, and no block goes far beyond its share.
  constexpr size_t kFirstWave = 8;
  size_t used = 0, pair_count = 0, largest = 0, next = first, wave = kFirstWave;
  bool is_cut = false;
  while (next < splats.size() && !is_cut) {
    wave = std::min(wave, (splats.size() - next + kBlockSize - 1) / kBlockSize);
    if (blocks_.size() < used + wave) blocks_.resize(used + wave);
    parallelFor(wave, 1, [&](size_t i, size_t) {
      Block& block = blocks_[used + i];
      block.begin = next + i * kBlockSize;
      distribute(grid, splats, ranges, is_done, max_entries / kFirstWave, block);
    });
    for (size_t i = 0; i < wave && !is_cut; ++i) {
      const Block& block = blocks_[used++];
      pair_count += block.size;
      largest = std::max(largest, block.size);
      next = block.end;
      is_cut = block.end - block.begin < kBlockSize || pair_count > max_entries;
    }
    wave = (max_entries - std::min(pair_count, max_entries)) / (2 * largest + 1) + 1;
  }

  begins_.resize(grid.size() + 1);
  size_t place = 0;
  for (size_t tile = 0; tile < grid.size(); ++tile) {
    begins_[tile] = place;
    for (size_t b = 0; b < used; ++b) {
      const uint32_t count = blocks_[b].counts[tile];
      blocks_[b].counts[tile] = static_cast<uint32_t>(place);
      place += count;
    }
  }
  begins_[grid.size()] = place;
  entries_.resize(place);
  used_blocks_ = used;
  parallelFor(used, 1, [&](size_t b, size_t) {
    Block& block = blocks_[b];
    for (const Pair& pair : std::span(block.pairs).first(block.size))
      entries_[block.counts[pair.tile]++] = pair.splat;
  });
  return next;
}

void TileBins::fillWithPlaces(const TileGrid& grid, std::span<const ProjectedSplat> splats,
                              std::span<const TileRange> ranges) {
  fill(grid, splats, ranges, 0, {}, std::numeric_limits<uint32_t>::max());
  first_places_.resize(splats.size() + 1);
  places_.resize(entries_.size());
  std::vector<size_t> first(used_blocks_ + 1);
  for (size_t b = 0; b < used_blocks_; ++b) first[b + 1] = first[b] + blocks_[b].size;
  first_places_[splats.size()] = static_cast<uint32_t>(entries_.size());
  parallelFor(used_blocks_, 1, [&](size_t b, size_t) {
    Block& block = blocks_[b];
    const std::span<Pair> pairs = std::span(block.pairs).first(block.size);
    // counts[] has moved to the end of the block's entries of each tile: from there back.
    for (size_t k = pairs.size(); k-- > 0;) places_[first[b] + k] = --block.counts[pairs[k].tile];
    size_t k = 0;
    for (size_t splat = block.begin; splat < block.end; ++splat) {
      first_places_[splat] = static_cast<uint32_t>(first[b] + k);
      while (k < pairs.size() && pairs[k].splat == splat) ++k;
    }
  });
}

}  // namespace gs
