// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/geometry/voxel_accumulator.hpp"

namespace gs {

struct VoxelShape {
  Vec3f normal = Vec3f::Zero();  // unit, towards the sensor; zero where the points form no surface
  float spacing = 0;             // m, mean distance to the nearest neighbours
  float flatness = 0;            // 0 a ball or a line, 1 a plane
  uint8_t neighbors = 0;         // occupied voxels around, of 26
};

// Shape of the surface around every voxel, from its points and those of the 26 voxels around it.
std::vector<VoxelShape> computeVoxelShapes(const VoxelMap& map);

}  // namespace gs
