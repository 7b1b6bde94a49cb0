// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/geometry/range_image.hpp"
#include "gs/geometry/voxel_accumulator.hpp"
#include "gs/geometry/voxel_normals.hpp"

namespace gs {

// What the rays of other moments say about a voxel.
struct FreeSpaceEvidence {
  TimeSlices passed_in = 0;  // rays went through that would have hit what was seen here
  bool is_road = false;      // level and at the height of the wheels, seen from near: never moves
};

// A scan as seen from its sensor; `origin` is where the map's positions count from.
struct FreeSpaceView {
  Rigid3 sensor_from_origin;
  TimeSlices when = 0;
  // The road below the vehicle: its normal, and how far along it (m, negative) the road lies.
  Vec3 road_up_in_sensor = Vec3::UnitZ();
  double road_in_sensor = 0;
  RangeImage ranges;
};

// Adds what some views say. A ray passes a voxel when it goes through the middle of the points that
// were seen there, and ends clearly behind them. How clearly depends on the angle, since a ray that
// grazes a road passes just above the near part of what it hits far away.
void addFreeSpaceEvidence(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                          const std::vector<FreeSpaceView>& views, double max_range,
                          std::vector<FreeSpaceEvidence>& evidence);

// 1 for voxels on moving things: their place is empty at other times. Rays pass beside a post and
// through a fence as well, but at every time others hit them.
std::vector<uint8_t> findMovingVoxels(const VoxelMap& map,
                                      const std::vector<FreeSpaceEvidence>& evidence);

}  // namespace gs
