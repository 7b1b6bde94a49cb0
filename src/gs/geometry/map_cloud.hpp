// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/core/linear.hpp"

namespace gs {

// The LiDAR map: one point per occupied voxel, in columns of equal length. Positions are relative
// to `origin` (whole metres, map frame), because a float has no centimetres at 1000 km.
struct MapCloud {
  Vec3 origin = Vec3::Zero();
  double voxel_size = 0;                       // m; larger than asked for when the budget ran out
  std::vector<Vec3f> positions;                // mean of the points in the voxel
  std::vector<Vec3f> normals;                  // unit, towards the sensor; zero where unknown
  std::vector<float> spacing;                  // m to the neighbouring points, for splat sizes
  std::vector<float> reflectivity;             // intensity, corrected for range and angle
  std::vector<uint32_t> hits;                  // points that were averaged
  std::vector<float> nearest_range;            // m from the closest sensor that saw it
  std::vector<std::array<uint8_t, 3>> colors;  // RGB; empty before colorize()
  std::vector<uint8_t> is_colored;             // 1 where a camera saw the point; empty as above

  size_t size() const { return positions.size(); }
  Vec3 positionInMap(size_t i) const { return origin + positions[i].cast<double>(); }
};

}  // namespace gs
