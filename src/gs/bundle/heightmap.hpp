// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace gs {

// Ground height sampled on a regular grid in the map frame (ENU, metres).
// Sample (col, row) stands at (origin_x + col * resolution, origin_y + row * resolution).
// NaN marks "no ground seen here"; readers must expect it.
struct Heightmap {
  double origin_x = 0.0;
  double origin_y = 0.0;
  double origin_z = 0.0;  // kept as written; samples are heights in the map frame, not above this
  double resolution = 0.1;
  int width = 0;               // columns, along x
  int height = 0;              // rows, along y
  std::vector<float> samples;  // row-major: samples[row * width + col]

  float at(int col, int row) const { return samples[static_cast<size_t>(row) * width + col]; }
  bool operator==(const Heightmap& other) const;  // NaN equals NaN: two maps with the same holes
};

// Bilinear height at a map point; NaN outside the grid or beside a hole. On a sample or on the
// line between two of them, only those are asked, so that a hole beyond does not matter.
double heightAt(const Heightmap& map, double x, double y);

// Lowest and highest sample that is not NaN; both NaN when there is none.
struct HeightRange {
  float min, max;
};
HeightRange rangeOf(const Heightmap& map);

}  // namespace gs
