// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/core/linear.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {

// The drive in slices of time, one bit each. After the last comes the first again: what is seen at
// one place rarely takes longer, and where it does, it only says less.
using TimeSlices = uint64_t;
constexpr double kTimeSlice = 0.4;  // s; a few scans
inline TimeSlices sliceOf(double seconds) {
  return TimeSlices{1} << (static_cast<uint64_t>(std::max(0.0, seconds) / kTimeSlice) % 64);
}

// Sums over the points of a voxel, relative to its centre.
struct VoxelSums {
  uint32_t count = 0;
  float intensity = 0;                 // sum
  float range = 0, nearest_range = 0;  // sum, minimum
  Vec3f position = Vec3f::Zero();      // sum
  Vec3f to_sensor = Vec3f::Zero();     // sum of unit vectors
  std::array<float, 6> square{};       // sums of xx xy xz yy yz zz
  TimeSlices hit_in = 0;               // when it was hit

  Vec3f mean() const { return position / static_cast<float>(count); }
};

// One point on its way into the map.
struct VoxelPoint {
  uint64_t brick;
  Vec3f offset;  // from the voxel's centre
  Vec3f to_sensor;
  float range, intensity;
  uint32_t local;
};

// Points of some scans, sorted by shard: filled by one thread per list, read by one per shard.
constexpr uint32_t kVoxelShards = 32;
inline uint32_t shardOf(uint64_t brick) { return static_cast<uint32_t>(mixBits(brick) >> 59); }
struct ShardedPoints {
  std::array<std::vector<VoxelPoint>, kVoxelShards> shards;
  TimeSlices when = 0;
  void clear() {
    for (auto& shard : shards) shard.clear();
  }
};

// Where every voxel and its sums end up: sorted by place.
struct VoxelMap {
  double voxel_size = 0;
  VoxelSet set;
  std::vector<VoxelSums> sums;  // by the set's numbers
};

// Collects points in voxels. The result depends on the order of add() calls and of points within
// each list, never on threads.
class VoxelAccumulator {
 public:
  explicit VoxelAccumulator(double voxel_size) : voxel_size_(voxel_size), shards_(kVoxelShards) {}

  void add(const std::vector<ShardedPoints>& lists);
  size_t voxelCount() const;
  double voxelSize() const { return voxel_size_; }
  void doubleVoxelSize();
  VoxelMap finish();  // leaves it empty

 private:
  struct Shard {
    KeyIndex bricks;
    std::vector<uint64_t> keys;
    std::vector<std::array<uint32_t, kBrickVoxels>> numbers;  // voxel + 1; 0: none yet
    std::vector<VoxelSums> voxels;

    VoxelSums& at(uint64_t brick, uint32_t local);
  };
  double voxel_size_;
  std::vector<Shard> shards_;
};

}  // namespace gs
