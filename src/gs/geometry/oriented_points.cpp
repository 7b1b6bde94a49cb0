// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/oriented_points.hpp"

#include <algorithm>
#include <cmath>

namespace gs {

OrientedPoints::OrientedPoints(const MapCloud& cloud, double voxel_size, float reach, float depth)
    : cloud_(cloud),
      voxel_size_(static_cast<float>(voxel_size)),
      depth_(depth * voxel_size_),
      reach_(cloud.size(), 0.0f) {
  const float inverse = 1 / voxel_size_, brick = kBrickSide * voxel_size_;
  const auto brickAt = [&](const Vec3f& p) {
    return brickKeyOf(voxelAt(p.cast<double>(), static_cast<double>(inverse)));
  };
  std::vector<uint32_t> home(cloud.size());
  std::vector<uint32_t> counts;
  uint64_t last_key = ~uint64_t{0};
  for (uint32_t i = 0; i < cloud.size(); ++i) {
    if (cloud.normals[i].isZero() || !cloud.positions[i].allFinite()) continue;
    reach_[i] = std::clamp(reach * cloud.spacing[i], 1.5f * voxel_size_, brick);
    home[i] = home_bricks_.findOrAdd(brickAt(cloud.positions[i]));
    if (home[i] == counts.size()) counts.push_back(0);
    ++counts[home[i]];
    const Vec3f& p = cloud.positions[i];
    for (int k = 0; k < 8; ++k) {  // corners of its box: no box is larger than two bricks
      const Vec3f corner =
          p + reach_[i] * Vec3f(k & 1 ? 1.0f : -1.0f, k & 2 ? 1.0f : -1.0f, k & 4 ? 1.0f : -1.0f);
      const uint64_t key = brickAt(corner);
      if (key != last_key) bricks_.push_back(key);
      last_key = key;
    }
    bricks_.push_back(brickAt(p));
    last_key = bricks_.back();
  }
  std::sort(bricks_.begin(), bricks_.end());
  bricks_.erase(std::unique(bricks_.begin(), bricks_.end()), bricks_.end());
  first_.assign(counts.size() + 1, 0);
  for (size_t b = 0; b < counts.size(); ++b) first_[b + 1] = first_[b] + counts[b];
  points_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t i = 0; i < cloud.size(); ++i)
    if (reach_[i] > 0) points_[next[home[i]]++] = i;
}

// A tangent plane's distance, counting most near the point and on the plane.
void OrientedPoints::addPoint(uint32_t i, VoxelCoord corner, Samples& samples) const {
  const Vec3f& p = cloud_.positions[i];
  const Vec3f& n = cloud_.normals[i];
  const float reach = reach_[i], inverse_reach = 1 / (reach * reach), depth = depth_;
  const float box = std::max(reach, depth);
  int low[3], high[3];
  const int corners[3] = {corner.x, corner.y, corner.z};
  for (int a = 0; a < 3; ++a) {
    low[a] = std::max(0, static_cast<int>(std::ceil((p[a] - box) / voxel_size_)) - corners[a]);
    high[a] = std::min(kBrickSide - 1,
                       static_cast<int>(std::floor((p[a] + box) / voxel_size_)) - corners[a]);
  }
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x) {
        const Vec3f d(voxel_size_ * static_cast<float>(corners[0] + x) - p.x(),
                      voxel_size_ * static_cast<float>(corners[1] + y) - p.y(),
                      voxel_size_ * static_cast<float>(corners[2] + z) - p.z());
        const float height = n.dot(d);
        const float across = (d.squaredNorm() - height * height) * inverse_reach;
        if (across >= 1 || std::abs(height) >= depth) continue;
        const float w = (1 - across) * (1 - across) * (1.05f - std::abs(height) / depth);
        const int local = z << 6 | y << 3 | x;
        samples.distance[local] += w * height;
        samples.weight[local] += w;
        samples.normal[local] += w * n;
      }
}

void OrientedPoints::sample(uint64_t brick, Samples& samples) const {
  std::fill(samples.distance.begin(), samples.distance.end(), 0.0f);
  std::fill(samples.weight.begin(), samples.weight.end(), 0.0f);
  std::fill(samples.normal.begin(), samples.normal.end(), Vec3f::Zero());
  const VoxelCoord corner = brickCorner(brick);
  for (int k = 0; k < 27; ++k) {
    const uint32_t home = home_bricks_.find(
        brickKeyOf({corner.x + (k % 3 - 1) * kBrickSide, corner.y + (k / 3 % 3 - 1) * kBrickSide,
                    corner.z + (k / 9 - 1) * kBrickSide}));
    if (home == KeyIndex::kNone) continue;
    for (uint32_t j = first_[home]; j < first_[home + 1]; ++j)
      addPoint(points_[j], corner, samples);
  }
  for (int v = 0; v < kBrickVoxels; ++v)
    if (samples.weight[v] > 0) samples.distance[v] /= samples.weight[v];
}

}  // namespace gs
