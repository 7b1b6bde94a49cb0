// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/geometry/map_cloud.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {

// The points of a cloud that have a normal, findable by place. Field samples stand at whole
// multiples of the voxel size from the cloud's origin and come in bricks of 8 x 8 x 8.
class OrientedPoints {
 public:
  // Each point reaches `reach` spacings far, at least 1.5 voxels and at most a brick, and `depth`
  // voxels in front of its plane and behind.
  OrientedPoints(const MapCloud& cloud, double voxel_size, float reach, float depth);

  const std::vector<uint64_t>& bricks() const { return bricks_; }  // sorted; all within reach
  float voxelSize() const { return voxel_size_; }

  // What the points around say at the samples of one brick, by local number.
  struct Samples {
    std::vector<float> distance = std::vector<float>(kBrickVoxels);  // m, positive outside
    std::vector<float> weight = std::vector<float>(kBrickVoxels);    // 0: nothing known
    std::vector<Vec3f> normal = std::vector<Vec3f>(kBrickVoxels);    // not normalised
  };
  void sample(uint64_t brick, Samples& samples) const;

 private:
  void addPoint(uint32_t i, VoxelCoord corner, Samples& samples) const;

  const MapCloud& cloud_;
  float voxel_size_, depth_;  // m
  std::vector<float> reach_;  // per point; 0: has no normal
  KeyIndex home_bricks_;      // bricks that hold points
  std::vector<uint32_t> first_, points_;
  std::vector<uint64_t> bricks_;
};

}  // namespace gs
