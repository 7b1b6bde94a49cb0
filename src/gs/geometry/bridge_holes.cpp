// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/bridge_holes.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr float kLevel = 0.03f;  // m; a bridge that climbs more counts much less

struct Pier {  // the nearest known cell in one direction
  float height = kUnknown;
  float distance = 0;  // cells
};

// Fills along one direction: walks the whole line from both ends.
struct Direction {
  int dc, dr;
  float length;
};
constexpr std::array<Direction, 4> kDirections = {
    {{1, 0, 1.0f}, {0, 1, 1.0f}, {1, 1, 1.41421356f}, {1, -1, 1.41421356f}}};

struct Sum {
  float weighted = 0, weight = 0;
};

void bridgeLine(const CellGrid& grid, const std::vector<float>& heights, int col, int row,
                const Direction& direction, float max_cells, std::vector<Sum>& sums) {
  size_t last = 0;
  float last_height = kUnknown;
  int steps = 0;  // since the last known cell
  const auto stride = static_cast<ptrdiff_t>(direction.dr) * grid.width + direction.dc;
  for (; grid.contains(col, row); col += direction.dc, row += direction.dr, ++steps) {
    const size_t cell = grid.index(col, row);
    const float height = heights[cell];
    if (std::isnan(height)) continue;
    const float span = static_cast<float>(steps) * direction.length;
    if (steps > 1 && !std::isnan(last_height) && span <= max_cells) {
      const float climb = (height - last_height) / kLevel;
      const float weight = 1 / (span * span * (1 + climb * climb));
      for (int s = 1; s < steps; ++s) {
        const float part = static_cast<float>(s) / static_cast<float>(steps);
        Sum& sum = sums[static_cast<size_t>(static_cast<ptrdiff_t>(last) + s * stride)];
        sum.weighted += weight * (last_height + part * (height - last_height));
        sum.weight += weight;
      }
    }
    last = cell;
    last_height = height;
    steps = 0;
  }
}

}  // namespace

void bridgeHoles(const CellGrid& grid, double max_hole, std::vector<float>& heights) {
  const auto max_cells = static_cast<float>(max_hole / grid.resolution) + 1;
  std::vector<Sum> sums(heights.size());
  for (const Direction& direction : kDirections) {
    // Lines of one direction touch no common cell, so they can run side by side.
    std::vector<std::array<int, 2>> starts;
    if (direction.dc != 0)
      for (int row = 0; row < grid.height; ++row) starts.push_back({0, row});
    if (direction.dr != 0)
      for (int col = direction.dc != 0 ? 1 : 0; col < grid.width; ++col)
        starts.push_back({col, direction.dr > 0 ? 0 : grid.height - 1});
    parallelFor(starts.size(), 64, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        bridgeLine(grid, heights, starts[i][0], starts[i][1], direction, max_cells, sums);
    });
  }
  for (size_t i = 0; i < heights.size(); ++i)
    if (std::isnan(heights[i]) && sums[i].weight > 0)
      heights[i] = sums[i].weighted / sums[i].weight;
}

std::vector<float> medianFiltered(const CellGrid& grid, int kernel,
                                  const std::vector<float>& heights) {
  std::vector<float> filtered(heights.size(), kUnknown);
  const int reach = kernel / 2;
  parallelFor(static_cast<size_t>(grid.height), 16, [&](size_t begin, size_t end) {
    std::vector<float> window;
    for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
      for (int col = 0; col < grid.width; ++col) {
        if (std::isnan(heights[grid.index(col, row)])) continue;
        window.clear();
        for (int r = std::max(0, row - reach); r <= std::min(grid.height - 1, row + reach); ++r)
          for (int c = std::max(0, col - reach); c <= std::min(grid.width - 1, col + reach); ++c)
            if (const float h = heights[grid.index(c, r)]; !std::isnan(h)) window.push_back(h);
        const auto middle = window.begin() + static_cast<ptrdiff_t>(window.size() / 2);
        std::nth_element(window.begin(), middle, window.end());
        filtered[grid.index(col, row)] = *middle;
      }
  });
  return filtered;
}

}  // namespace gs
