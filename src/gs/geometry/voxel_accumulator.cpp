// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/voxel_accumulator.hpp"

#include <algorithm>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Sums in float lose their last digits, and more points than this say nothing new.
constexpr uint32_t kMaxCount = 60'000;

void addPoint(VoxelSums& sums, const VoxelPoint& p, TimeSlices when) {
  sums.hit_in |= when;
  if (sums.count >= kMaxCount) return;
  sums.nearest_range = sums.count == 0 ? p.range : std::min(sums.nearest_range, p.range);
  ++sums.count;
  sums.intensity += p.intensity;
  sums.range += p.range;
  sums.position += p.offset;
  sums.to_sensor += p.to_sensor;
  const Vec3f& d = p.offset;
  sums.square[0] += d.x() * d.x();
  sums.square[1] += d.x() * d.y();
  sums.square[2] += d.x() * d.z();
  sums.square[3] += d.y() * d.y();
  sums.square[4] += d.y() * d.z();
  sums.square[5] += d.z() * d.z();
}

// `shift`: from the centre of `to` to the centre of `from`.
void addSums(VoxelSums& to, const VoxelSums& from, const Vec3f& shift) {
  to.nearest_range =
      to.count == 0 ? from.nearest_range : std::min(to.nearest_range, from.nearest_range);
  to.hit_in |= from.hit_in;
  const auto n = static_cast<float>(from.count);
  to.count += from.count;
  to.intensity += from.intensity;
  to.range += from.range;
  to.to_sensor += from.to_sensor;
  const auto square = [&](int i, int a, int b) {
    to.square[i] += from.square[i] + from.position[a] * shift[b] + shift[a] * from.position[b] +
                    n * shift[a] * shift[b];
  };
  square(0, 0, 0);
  square(1, 0, 1);
  square(2, 0, 2);
  square(3, 1, 1);
  square(4, 1, 2);
  square(5, 2, 2);
  to.position += from.position + n * shift;
}

}  // namespace

VoxelSums& VoxelAccumulator::Shard::at(uint64_t brick, uint32_t local) {
  const uint32_t number = bricks.findOrAdd(brick);
  if (number == keys.size()) {
    keys.push_back(brick);
    numbers.emplace_back().fill(0);
  }
  uint32_t& voxel = numbers[number][local];
  if (voxel == 0) {
    voxels.emplace_back();
    voxel = static_cast<uint32_t>(voxels.size());
  }
  return voxels[voxel - 1];
}

void VoxelAccumulator::add(const std::vector<ShardedPoints>& lists) {
  parallelFor(kVoxelShards, 1, [&](size_t s, size_t) {
    for (const ShardedPoints& list : lists)
      for (const VoxelPoint& point : list.shards[s])
        addPoint(shards_[s].at(point.brick, point.local), point, list.when);
  });
}

size_t VoxelAccumulator::voxelCount() const {
  size_t count = 0;
  for (const Shard& shard : shards_) count += shard.voxels.size();
  return count;
}

void VoxelAccumulator::doubleVoxelSize() {
  VoxelAccumulator coarse(2 * voxel_size_);
  for (Shard& shard : shards_) {
    for (size_t b = 0; b < shard.keys.size(); ++b)
      for (uint32_t local = 0; local < kBrickVoxels; ++local) {
        const uint32_t number = shard.numbers[b][local];
        if (number == 0) continue;
        const VoxelCoord v = voxelIn(shard.keys[b], local);
        const VoxelCoord half{v.x >> 1, v.y >> 1, v.z >> 1};
        const auto step = [&](int32_t c) {
          return static_cast<float>((c & 1) - 0.5) * voxel_size_;
        };
        const Vec3f shift = Vec3(step(v.x), step(v.y), step(v.z)).cast<float>();
        const uint64_t brick = brickKeyOf(half);
        addSums(coarse.shards_[shardOf(brick)].at(brick, localOf(half)), shard.voxels[number - 1],
                shift);
      }
    shard = {};
  }
  *this = std::move(coarse);
}

VoxelMap VoxelAccumulator::finish() {
  struct Place {
    uint64_t key;
    uint32_t shard, number;
  };
  std::vector<Place> places;
  for (uint32_t s = 0; s < kVoxelShards; ++s)
    for (uint32_t b = 0; b < shards_[s].keys.size(); ++b)
      places.push_back({shards_[s].keys[b], s, b});
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.key < b.key; });

  VoxelMap map{.voxel_size = voxel_size_};
  for (const Place& place : places) {
    const auto& numbers = shards_[place.shard].numbers[place.number];
    VoxelSet::Mask mask{};
    for (uint32_t local = 0; local < kBrickVoxels; ++local)
      if (numbers[local] != 0) mask[local >> 6] |= uint64_t{1} << (local & 63);
    map.set.addBrick(place.key, mask);
  }
  map.sums.resize(map.set.size());
  parallelFor(places.size(), 256, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Shard& shard = shards_[places[i].shard];
      uint32_t number = map.set.bricks()[i].first;
      for (const uint32_t voxel : shard.numbers[places[i].number])
        if (voxel != 0) map.sums[number++] = shard.voxels[voxel - 1];
    }
  });
  shards_.assign(kVoxelShards, {});
  return map;
}

}  // namespace gs
