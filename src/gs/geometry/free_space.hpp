// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/geometry/range_image.hpp"
#include "gs/geometry/voxel_accumulator.hpp"
#include "gs/geometry/voxel_normals.hpp"

namespace gs {

// What the rays of other moments say about a voxel: seen through, or hit again.
struct FreeSpaceVotes {
  uint16_t through = 0, hit = 0;
  bool is_road = false;  // level and at the height of the wheels, seen from near: never moves
};

// A scan as seen from its sensor; `origin` is where the map's positions count from.
struct FreeSpaceView {
  Rigid3 sensor_from_origin;
  // The road below the vehicle: its normal, and how far along it (m, negative) the road lies.
  Vec3 road_up_in_sensor = Vec3::UnitZ();
  double road_in_sensor = 0;
  RangeImage ranges;
};

// Adds the votes of some views, in their order. A ray passes a voxel when it ends clearly behind
// it; how clearly depends on the angle, since a ray that grazes a road passes just above the near
// part of what it hits far away.
void addFreeSpaceVotes(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                       const std::vector<FreeSpaceView>& views, double max_range,
                       std::vector<FreeSpaceVotes>& votes);

// 1 for voxels on moving things: seen through most of the time, together with their neighbours.
std::vector<uint8_t> findMovingVoxels(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                                      const std::vector<FreeSpaceVotes>& votes);

}  // namespace gs
