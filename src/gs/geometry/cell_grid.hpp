// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/map_cloud.hpp"

namespace gs {

// The cells of a heightmap: sample (col, row) stands in the middle of its cell.
struct CellGrid {
  double origin_x = 0, origin_y = 0, resolution = 1;
  int width = 0, height = 0;

  size_t size() const { return static_cast<size_t>(width) * height; }
  size_t index(int col, int row) const { return static_cast<size_t>(row) * width + col; }
  bool contains(int col, int row) const {
    return col >= 0 && row >= 0 && col < width && row < height;
  }
  int colOf(double x) const {
    return static_cast<int>(std::floor((x - origin_x) / resolution + 0.5));
  }
  int rowOf(double y) const {
    return static_cast<int>(std::floor((y - origin_y) / resolution + 0.5));
  }
  double xOf(int col) const { return origin_x + col * resolution; }
  double yOf(int row) const { return origin_y + row * resolution; }
};

// Samples at whole multiples of the resolution, so that two maps of one place fit each other.
// Throws HEIGHTMAP_INVALID when the extent is empty, not finite or too large.
CellGrid makeCellGrid(const MapExtent& extent, double resolution);

inline CellGrid gridOf(const Heightmap& map) {
  return {map.origin_x, map.origin_y, map.resolution, map.width, map.height};
}

// Which points of a cloud lie in each cell, lowest first.
struct CellPoints {
  std::vector<uint32_t> first;   // per cell, and the total at the end
  std::vector<uint32_t> points;  // indices into the cloud

  CellPoints(const CellGrid& grid, const MapCloud& cloud);
};

}  // namespace gs
