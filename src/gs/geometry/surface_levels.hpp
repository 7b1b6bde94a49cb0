// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/geometry/map_cloud.hpp"

namespace gs {

// The points of a map sorted by how far it is to their neighbours. Near the sensor a surface has
// points in every voxel; far away the rings of a LiDAR stand apart, and only in larger voxels do
// they show which way a wall faces. Rough things (hedges) gain nothing from the finest. Level k has
// voxels of 2^k times the map's size; each point is in the finest level where its surroundings are
// a surface, with its normal (towards the nearest of `viewpoints`) and a spacing of that level's
// voxels. Thin upright things (posts) and single points are in none.
std::vector<MapCloud> splitIntoLevels(const MapCloud& cloud, const std::vector<Vec3>& viewpoints,
                                      int levels);

}  // namespace gs
