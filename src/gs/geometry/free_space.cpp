// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/free_space.hpp"

#include <algorithm>
#include <limits>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kMargin = 0.3f;          // m behind a voxel where a ray must end to have passed it
constexpr float kMinCosine = 0.05f;      // a surface seen flatter than this gives no evidence
constexpr float kUnknownCosine = 0.25f;  // for voxels without a normal
constexpr int kMinThrough = 3;
constexpr double kMaxHitShare = 0.42;  // of all votes, for something that moves
constexpr int kDoubtfulRounds = 3;
constexpr double kMaxDoubtfulHitShare = 0.65;  // ... when most of what surrounds it moves

struct LocalView {
  Eigen::Matrix3f rotation;
  Vec3f translation;
  Vec3f sensor;  // in the map's own coordinates
  Vec3f road_up;
  float road;
  const RangeImage* ranges;
};

// Poses often lack height and pitch; then rays of another moment seem to pass through the road.
// Near the vehicle its own wheels say where the road is.
constexpr float kRoadRange = 15, kRoadHeight = 0.08f, kRoadSlope = 0.012f;  // m, m, m per m
constexpr float kRoadUp = 0.85f;                                            // of the normal

void vote(const LocalView& view, const Vec3f& p, const Vec3f& normal, FreeSpaceVotes& votes) {
  const Vec3f ray = view.rotation * p + view.translation;
  if (normal.z() > kRoadUp && ray.squaredNorm() < kRoadRange * kRoadRange &&
      std::abs(view.road_up.dot(ray) - view.road) < kRoadHeight + kRoadSlope * ray.norm())
    votes.is_road = true;
  const float seen = view.ranges->rangeTowards(ray);
  if (seen == 0) return;  // most directions have no return, so ask this first
  const float range = ray.norm();
  if (range < 1 || seen < range - 4 * kMargin) return;  // too near, or hidden
  float cosine = kUnknownCosine;
  if (!normal.isZero()) cosine = std::abs(normal.dot(p - view.sensor)) / range;
  if (cosine < kMinCosine) cosine = kMinCosine;
  // Half a bin and a little pose error aside, a slanted surface is this much farther.
  const float lateral = 0.005f * range + 0.02f;
  const float margin = kMargin + lateral * std::sqrt(1 - std::min(1.0f, cosine * cosine)) / cosine;
  constexpr uint16_t kFull = std::numeric_limits<uint16_t>::max();
  if (seen > range + margin)
    votes.through = static_cast<uint16_t>(votes.through + (votes.through < kFull));
  else if (seen > range - margin)
    votes.hit = static_cast<uint16_t>(votes.hit + (votes.hit < kFull));
}

// Voxels in doubt follow the majority around them: few rays meet the inside of a car's outline or
// its lower edge. Level ground under it stays.
std::vector<uint8_t> withDoubtfulNeighbors(const VoxelMap& map,
                                           const std::vector<VoxelShape>& shapes,
                                           const std::vector<FreeSpaceVotes>& votes,
                                           const std::vector<uint8_t>& is_moving) {
  std::vector<uint8_t> grown = is_moving;
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      const BrickNeighborhood around(map.set, brick.key);
      forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
        const FreeSpaceVotes& own = votes[number];
        if (is_moving[number] || own.hit > kMaxDoubtfulHitShare * (own.hit + own.through)) return;
        if (own.is_road || (shapes[number].normal.z() > 0.9f && own.hit > own.through)) return;
        const VoxelCoord v = voxelIn(brick.key, local);
        int moving = 0, occupied = 0;
        for (int i = 0; i < 27; ++i) {
          const uint32_t other =
              around.find({v.x + i % 3 - 1, v.y + i / 3 % 3 - 1, v.z + i / 9 - 1});
          if (other == VoxelSet::kNone || other == number) continue;
          ++occupied;
          moving += is_moving[other];
        }
        grown[number] = 5 * moving >= 2 * occupied && moving > 0;
      });
    }
  });
  return grown;
}

}  // namespace

void addFreeSpaceVotes(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                       const std::vector<FreeSpaceView>& views, double max_range,
                       std::vector<FreeSpaceVotes>& votes) {
  std::vector<LocalView> local;
  for (const FreeSpaceView& view : views)
    local.push_back({view.sensor_from_origin.rotation.toRotationMatrix().cast<float>(),
                     view.sensor_from_origin.translation.cast<float>(),
                     view.sensor_from_origin.inverse().translation.cast<float>(),
                     view.road_up_in_sensor.cast<float>(), static_cast<float>(view.road_in_sensor),
                     &view.ranges});
  const auto size = static_cast<float>(map.voxel_size);
  const auto centre = [&](VoxelCoord v, float half) {
    return Vec3f(size * (static_cast<float>(v.x) + half), size * (static_cast<float>(v.y) + half),
                 size * (static_cast<float>(v.z) + half));
  };
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    std::vector<Vec3f> positions(kBrickVoxels);
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      uint32_t count = 0;
      forEachVoxel(brick, [&](uint32_t at, uint32_t number) {
        positions[count++] = centre(voxelIn(brick.key, at), 0.5f) + map.sums[number].mean();
      });
      const Vec3f middle = centre(brickCorner(brick.key), 0.5f * kBrickSide);
      for (const LocalView& view : local) {
        if ((middle - view.sensor).norm() > static_cast<float>(max_range)) continue;
        for (uint32_t i = 0; i < count; ++i)
          vote(view, positions[i], shapes[brick.first + i].normal, votes[brick.first + i]);
      }
    }
  });
}

std::vector<uint8_t> findMovingVoxels(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                                      const std::vector<FreeSpaceVotes>& votes) {
  std::vector<uint8_t> is_moving(map.set.size(), 0);
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      const BrickNeighborhood around(map.set, brick.key);
      forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
        if (votes[number].through < 1 || votes[number].is_road) return;
        const VoxelCoord v = voxelIn(brick.key, local);
        uint32_t through = 0, hit = 0;
        for (int i = 0; i < 27; ++i) {
          const uint32_t other =
              around.find({v.x + i % 3 - 1, v.y + i / 3 % 3 - 1, v.z + i / 9 - 1});
          if (other == VoxelSet::kNone) continue;
          through += votes[other].through;
          hit += votes[other].hit;
        }
        is_moving[number] = through >= kMinThrough && hit < kMaxHitShare * (through + hit);
      });
    }
  });
  for (int round = 0; round < kDoubtfulRounds; ++round)
    is_moving = withDoubtfulNeighbors(map, shapes, votes, is_moving);
  return is_moving;
}

}  // namespace gs
