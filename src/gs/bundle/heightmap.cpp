// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/heightmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs {
namespace {

constexpr double kNoGround = std::numeric_limits<double>::quiet_NaN();

// A coordinate in units of cells. Dividing alone would put the sample at origin + 3 * 0.1 a hair
// beside column 3, and a hole in column 4 would then swallow it; so a coordinate that is exactly
// where a sample stands is that sample.
double cellsFrom(double origin, double resolution, double value) {
  const double cells = (value - origin) / resolution;
  const double nearest = std::round(cells);
  return origin + nearest * resolution == value ? nearest : cells;
}

// Between two samples; the far one is asked only when it has a say.
double blend(double near, double far, double weight) {
  return weight == 0.0 ? near : (1.0 - weight) * near + weight * far;
}

}  // namespace

bool Heightmap::operator==(const Heightmap& other) const {
  const auto isSame = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return origin_x == other.origin_x && origin_y == other.origin_y && origin_z == other.origin_z &&
         resolution == other.resolution && width == other.width && height == other.height &&
         std::equal(samples.begin(), samples.end(), other.samples.begin(), other.samples.end(),
                    isSame);
}

double heightAt(const Heightmap& map, double x, double y) {
  const double cells_x = cellsFrom(map.origin_x, map.resolution, x);
  const double cells_y = cellsFrom(map.origin_y, map.resolution, y);
  // Written so that NaN fails: it is neither inside nor outside.
  const bool is_inside = cells_x >= 0 && cells_x <= map.width - 1 &&  //
                         cells_y >= 0 && cells_y <= map.height - 1;
  if (!is_inside) return kNoGround;
  const int col = static_cast<int>(cells_x);
  const int row = static_cast<int>(cells_y);
  const double weight_x = cells_x - col;
  const double weight_y = cells_y - row;
  const auto alongRow = [&](int of_row) {
    const int next = weight_x == 0.0 ? col : col + 1;  // the last column has no next one
    return blend(map.at(col, of_row), map.at(next, of_row), weight_x);
  };
  return weight_y == 0.0 ? alongRow(row) : blend(alongRow(row), alongRow(row + 1), weight_y);
}

HeightRange rangeOf(const Heightmap& map) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  HeightRange range{kNone, kNone};
  for (const float sample : map.samples) {
    if (std::isnan(sample)) continue;
    range.min = std::isnan(range.min) ? sample : std::min(range.min, sample);
    range.max = std::isnan(range.max) ? sample : std::max(range.max, sample);
  }
  return range;
}

}  // namespace gs
