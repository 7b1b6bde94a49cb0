// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/free_space.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// A ray has passed a voxel when it ends this far behind it, ...
constexpr float kMargin = 0.3f;  // m
// ... went no farther than this from the middle of the points there (beside a post is not through
// it), ...
constexpr float kNearMiddle = 0.4f;  // voxels
// ... and came from no farther than this times the mean range of the rays that hit. Who stands
// while the car is near leaves when it is far.
constexpr float kComparableRange = 12;
constexpr float kMinCosine = 0.15f;      // a surface seen flatter than this gives no evidence
constexpr float kUnknownCosine = 0.25f;  // for voxels without a normal

// What moves leaves its place empty for some time, ...
constexpr int kMinEmpty = 2;             // slices
constexpr double kMinEmptyShare = 0.12;  // of the slices in which the place was seen
constexpr uint32_t kMaxNoise = 4;        // points on a surface for one beside it
// ... and so do most of the voxels around. One among few is a mistake.
constexpr double kMinMovingShare = 0.8;
// Growing afterwards takes less, where rays have passed at least once.
constexpr int kDoubtfulRounds = 5;
constexpr double kMinDoubtfulShare = 0.35, kMinUnseenShare = 0.6;
constexpr size_t kMinDoubtful = 2;

struct LocalView {
  Eigen::Matrix3f rotation;
  Vec3f translation;
  Vec3f sensor;  // in the map's own coordinates
  Vec3f road_up;
  float road;
  TimeSlices when;
  const RangeImage* ranges;
};

struct Target {
  Vec3f position, normal;
  float max_range;  // of evidence
};

// Poses often lack height and pitch; then rays of another moment seem to pass through the road.
// Near the vehicle its own wheels say where the road is.
constexpr float kRoadRange = 15, kRoadHeight = 0.08f, kRoadSlope = 0.012f;  // m, m, m per m
constexpr float kRoadUp = 0.85f;                                            // of the normal

void look(const LocalView& view, const Target& target, float near, FreeSpaceEvidence& evidence) {
  const Vec3f& normal = target.normal;
  const Vec3f ray = view.rotation * target.position + view.translation;
  const float range = ray.norm();
  if (normal.z() > kRoadUp && range < kRoadRange &&
      std::abs(view.road_up.dot(ray) - view.road) < kRoadHeight + kRoadSlope * range)
    evidence.is_road = true;
  if (range < 1 || range > target.max_range) return;
  const float seen = view.ranges->rangeBeyond(ray, range, range + kMargin, near);
  if (seen == 0) return;  // most directions have no such return
  float cosine = kUnknownCosine;
  if (!normal.isZero()) cosine = std::abs(normal.dot(target.position - view.sensor)) / range;
  if (cosine < kMinCosine) return;
  // Half a bin and a little pose error aside, a slanted surface is this much farther.
  const float lateral = 0.005f * range + 0.02f;
  const float margin = kMargin + lateral * std::sqrt(1 - std::min(1.0f, cosine * cosine)) / cosine;
  if (seen > range + margin) evidence.passed_in |= view.when;
}

// Rays pass through a fence all the time, also while others hit it: then it is not empty when, for
// once, none hits.
bool isEmptyAtTimes(TimeSlices hit, TimeSlices passed) {
  const int empty = std::popcount(passed & ~hit);
  return empty >= kMinEmpty && empty >= kMinEmptyShare * std::popcount(passed | hit) &&
         empty >= std::popcount(passed & hit);
}

// Calls visit(number, around) for the voxels of wanted bricks that are not road; `around` are those
// of the 27 around it (itself among them) that are not road either.
template <typename Wanted, typename Visit>
void forEachAboveRoad(const VoxelMap& map, const std::vector<FreeSpaceEvidence>& evidence,
                      const Wanted& wanted, const Visit& visit) {
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    std::array<uint32_t, 27> around;
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      const BrickNeighborhood bricks(map.set, brick.key);
      if (!wanted(bricks)) continue;
      forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
        if (evidence[number].is_road) return;
        const VoxelCoord v = voxelIn(brick.key, local);
        size_t count = 0;
        for (int i = 0; i < 27; ++i) {
          const uint32_t other =
              bricks.find({v.x + i % 3 - 1, v.y + i / 3 % 3 - 1, v.z + i / 9 - 1});
          if (other != VoxelSet::kNone && !evidence[other].is_road) around[count++] = other;
        }
        visit(number, std::span<const uint32_t>(around.data(), count));
      });
    }
  });
}

// Of each voxel that moves, when its place was empty; 0 for all others.
using EmptyTimes = std::vector<TimeSlices>;

EmptyTimes findEmptyTimes(const VoxelMap& map, const std::vector<FreeSpaceEvidence>& evidence) {
  EmptyTimes empty_in(map.set.size(), 0);
  const auto all = [](const BrickNeighborhood&) { return true; };
  forEachAboveRoad(map, evidence, all, [&](uint32_t number, std::span<const uint32_t> around) {
    TimeSlices hit = 0, passed = 0;
    for (const uint32_t other : around) {
      // Noise puts a few points beside a surface, where rays pass.
      if (kMaxNoise * map.sums[other].count >= map.sums[number].count)
        passed |= evidence[other].passed_in;
      hit |= map.sums[other].hit_in;
    }
    if (isEmptyAtTimes(hit, passed)) empty_in[number] = passed & ~hit;
  });
  return empty_in;
}

// Most of the map is far from anything that moves.
class NearMoving {
 public:
  NearMoving(const VoxelMap& map, const EmptyTimes& empty_in)
      : first_(map.set.bricks().data()), has_moving_(map.set.bricks().size()) {
    parallelFor(has_moving_.size(), 1024, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b)
        forEachVoxel(first_[b], [&](uint32_t, uint32_t number) {
          if (empty_in[number] != 0) has_moving_[b] = 1;
        });
    });
  }
  bool operator()(const BrickNeighborhood& bricks) const {
    return std::any_of(bricks.bricks().begin(), bricks.bricks().end(),
                       [&](const VoxelSet::Brick* brick) {
                         return brick != nullptr && has_moving_[brick - first_] != 0;
                       });
  }

 private:
  const VoxelSet::Brick* first_;
  std::vector<uint8_t> has_moving_;
};

// Few rays meet the inside of a car's outline or its lower edge. Such a voxel goes with what moves
// around it, unless it was hit while the place was empty.
EmptyTimes withDoubtfulNeighbors(const VoxelMap& map,
                                 const std::vector<FreeSpaceEvidence>& evidence,
                                 const EmptyTimes& empty_in) {
  EmptyTimes grown = empty_in;
  forEachAboveRoad(
      map, evidence, NearMoving(map, empty_in),
      [&](uint32_t number, std::span<const uint32_t> around) {
        if (empty_in[number] != 0) return;
        size_t moving = 0;
        TimeSlices empty = 0;
        for (const uint32_t other : around) {
          moving += empty_in[other] != 0;
          empty |= empty_in[other];
        }
        const auto others = static_cast<double>(around.size() - 1);
        if (moving < kMinDoubtful || static_cast<double>(moving) < kMinDoubtfulShare * others)
          return;
        if ((map.sums[number].hit_in & empty) == 0) grown[number] = empty;
      });
  return grown;
}

EmptyTimes withoutLoneOnes(const VoxelMap& map, const std::vector<FreeSpaceEvidence>& evidence,
                           const EmptyTimes& empty_in) {
  EmptyTimes kept = empty_in;
  forEachAboveRoad(
      map, evidence, NearMoving(map, empty_in),
      [&](uint32_t number, std::span<const uint32_t> around) {
        if (empty_in[number] == 0) return;
        const auto moving = std::count_if(around.begin(), around.end(),
                                          [&](uint32_t other) { return empty_in[other] != 0; });
        if (static_cast<double>(moving) < kMinMovingShare * static_cast<double>(around.size()))
          kept[number] = 0;
      });
  return kept;
}

}  // namespace

void addFreeSpaceEvidence(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                          const std::vector<FreeSpaceView>& views, double max_range,
                          std::vector<FreeSpaceEvidence>& evidence) {
  std::vector<LocalView> local;
  for (const FreeSpaceView& view : views)
    local.push_back({view.sensor_from_origin.rotation.toRotationMatrix().cast<float>(),
                     view.sensor_from_origin.translation.cast<float>(),
                     view.sensor_from_origin.inverse().translation.cast<float>(),
                     view.road_up_in_sensor.cast<float>(), static_cast<float>(view.road_in_sensor),
                     view.when, &view.ranges});
  const auto size = static_cast<float>(map.voxel_size);
  const auto centre = [&](VoxelCoord v, float half) {
    return Vec3f(size * (static_cast<float>(v.x) + half), size * (static_cast<float>(v.y) + half),
                 size * (static_cast<float>(v.z) + half));
  };
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    std::vector<Target> targets(kBrickVoxels);
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      uint32_t count = 0;
      forEachVoxel(brick, [&](uint32_t at, uint32_t number) {
        const VoxelSums& sums = map.sums[number];
        targets[count++] = {centre(voxelIn(brick.key, at), 0.5f) + sums.mean(),
                            shapes[number].normal,
                            kComparableRange * sums.range / static_cast<float>(sums.count)};
      });
      const Vec3f middle = centre(brickCorner(brick.key), 0.5f * kBrickSide);
      for (const LocalView& view : local) {
        if ((middle - view.sensor).norm() > static_cast<float>(max_range)) continue;
        for (uint32_t i = 0; i < count; ++i)
          look(view, targets[i], kNearMiddle * size, evidence[brick.first + i]);
      }
    }
  });
}

std::vector<uint8_t> findMovingVoxels(const VoxelMap& map,
                                      const std::vector<FreeSpaceEvidence>& evidence) {
  EmptyTimes empty_in = withoutLoneOnes(map, evidence, findEmptyTimes(map, evidence));
  for (int round = 0; round < kDoubtfulRounds; ++round)
    empty_in = withDoubtfulNeighbors(map, evidence, empty_in);
  std::vector<uint8_t> is_moving(map.set.size());
  std::transform(empty_in.begin(), empty_in.end(), is_moving.begin(),
                 [](TimeSlices empty) { return static_cast<uint8_t>(empty != 0); });
  return is_moving;
}

}  // namespace gs
