// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/integrate_scans.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/geometry/free_space.hpp"
#include "gs/geometry/reflectivity.hpp"
#include "gs/geometry/require_option.hpp"
#include "gs/geometry/voxel_accumulator.hpp"
#include "gs/geometry/voxel_normals.hpp"

namespace gs {

struct MovingRegions::Voxels {
  Vec3 origin;
  double voxel_size;
  VoxelSet set;
};

namespace {

constexpr const char* kComponent = "geometry_builder";
constexpr size_t kScansPerBatch = 8;  // in memory at a time; fixed, so that results are
constexpr size_t kViewsPerBatch = 16;
constexpr double kMaxSpan = 100'000;    // m from the first pose
constexpr double kFreeSpaceRange = 45;  // m; farther rays pass too far from a voxel's middle
constexpr size_t kPointsPerSight = 5;   // every fifth point teaches the intensity model

void checkOptions(const IntegrationOptions& options) {
  requireOption(options.voxel_size >= 0.02 && options.voxel_size <= 10, "voxel_size",
                "0.02 to 10 m");
  requireOption(options.max_voxels >= 1000 && options.max_voxels <= 1'000'000'000, "max_voxels",
                "1000 to 1e9");
  requireOption(options.min_range >= 0, "min_range", "0 or more");
  requireOption(options.max_range > options.min_range && options.max_range <= 1000, "max_range",
                "greater than min_range and at most 1000 m");
  requireOption(options.free_space_rate_hz > 0, "free_space_rate_hz", "greater than 0");
}

void checkPose(const PosedScan& scan, size_t index, const Vec3& origin) {
  const Rigid3& pose = scan.map_from_base;
  const bool is_finite = pose.translation.allFinite() && pose.rotation.coeffs().allFinite() &&
                         scan.sensor_in_base.allFinite();
  if (is_finite && std::abs(pose.rotation.norm() - 1) < 1e-3 && scan.sensor_in_base.norm() < 100 &&
      (pose.translation - origin).norm() < kMaxSpan)
    return;
  throw Error({.code = ErrorCode::InputInvalid,
               .component = kComponent,
               .message = "the pose of scan " + std::to_string(index) +
                          " is not finite, not a rotation, or more than 100 km from the first",
               .details = {{"scan", index}, {"stamp_ns", scan.stamp.ns}},
               .suggestion = "Check the odometry and TF of the log around this time."});
}

Vec3 wholeMetres(const Vec3& p) {
  return {std::round(p.x()), std::round(p.y()), std::round(p.z())};
}

using Counts = IntegrationResult::Counts;

// The points of a scan in the map's own coordinates (double: float only inside a voxel).
void sortIntoShards(const PosedScan& scan, const Vec3& origin, double voxel_size,
                    const IntegrationOptions& options, ShardedPoints& out, Counts& counts) {
  out.clear();
  const Mat3 rotation = scan.map_from_base.rotation.toRotationMatrix();
  const Vec3 translation = scan.map_from_base.translation - origin;
  const double inverse = 1 / voxel_size;
  counts.points += scan.points.size();
  counts.empty_scans += scan.points.empty();
  for (const ScanPoint& point : scan.points) {
    const Vec3 in_base(point.x, point.y, point.z);
    const Vec3 to_sensor = scan.sensor_in_base - in_base;
    const double range = to_sensor.norm();
    if (!std::isfinite(range)) {
      ++counts.non_finite;
      continue;
    }
    if (range < options.min_range || range > options.max_range) {
      ++(range < options.min_range ? counts.too_near : counts.too_far);
      continue;
    }
    const Vec3 p = rotation * in_base + translation;
    const VoxelCoord v = voxelAt(p, inverse);
    const uint64_t brick = brickKeyOf(v);
    const Vec3 centre = voxel_size * Vec3(v.x + 0.5, v.y + 0.5, v.z + 0.5);
    out.shards[shardOf(brick)].push_back(
        {brick, (p - centre).cast<float>(), (rotation * to_sensor / range).cast<float>(),
         static_cast<float>(range), std::isfinite(point.intensity) ? point.intensity : 0.0f,
         localOf(v)});
  }
}

void addCounts(Counts& to, const Counts& from) {
  to.points += from.points;
  to.empty_scans += from.empty_scans;
  to.non_finite += from.non_finite;
  to.too_near += from.too_near;
  to.too_far += from.too_far;
}

VoxelMap accumulate(const ScanSource& scans, const Vec3& origin, Stamp start,
                    const IntegrationOptions& options, Counts& counts, std::vector<Stamp>& stamps) {
  VoxelAccumulator accumulator(options.voxel_size);
  std::vector<ShardedPoints> lists(kScansPerBatch);
  stamps.resize(scans.count);
  for (size_t first = 0; first < scans.count; first += kScansPerBatch) {
    const size_t batch = std::min(kScansPerBatch, scans.count - first);
    lists.resize(batch);
    std::vector<Counts> parts(batch);
    parallelFor(batch, 1, [&](size_t i, size_t) {
      const PosedScan scan = scans.load(first + i);
      checkPose(scan, first + i, origin);
      stamps[first + i] = scan.stamp;
      sortIntoShards(scan, origin, accumulator.voxelSize(), options, lists[i], parts[i]);
      lists[i].when = sliceOf(toSeconds(scan.stamp - start));
    });
    for (const Counts& part : parts) addCounts(counts, part);
    accumulator.add(lists);
    while (accumulator.voxelCount() > options.max_voxels) {
      accumulator.doubleVoxelSize();
      ++counts.doublings;
    }
    if (options.progress)
      options.progress(0.6 * static_cast<double>(first + batch) / static_cast<double>(scans.count));
  }
  return accumulator.finish();
}

// Scans at most as often as asked for, the first and the last among them.
std::vector<size_t> chooseViews(const std::vector<Stamp>& stamps, double rate_hz) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < stamps.size(); ++i) {
    const bool is_due = chosen.empty() ||
                        std::abs(toSeconds(stamps[i] - stamps[chosen.back()])) > 1 / rate_hz - 1e-3;
    if (is_due || i + 1 == stamps.size()) chosen.push_back(i);
  }
  return chosen;
}

struct Evidence {
  std::vector<FreeSpaceEvidence> free_space;
  std::vector<IntensityModel::Sight> sights;
};

// The second look at some of the scans, now that surfaces are known.
Evidence lookAgain(const ScanSource& scans, const std::vector<size_t>& chosen, const VoxelMap& map,
                   const std::vector<VoxelShape>& shapes, const Vec3& origin, Stamp start,
                   const IntegrationOptions& options) {
  const Rigid3 footing_from_base = options.base_link_above_ground.footingFromBase();
  Evidence evidence;
  evidence.free_space.resize(map.set.size());
  std::vector<FreeSpaceView> views;
  for (size_t first = 0; first < chosen.size(); first += kViewsPerBatch) {
    const size_t batch = std::min(kViewsPerBatch, chosen.size() - first);
    views.resize(batch);
    std::vector<std::vector<IntensityModel::Sight>> sights(batch);
    parallelFor(batch, 1, [&](size_t i, size_t) {
      const PosedScan scan = scans.load(chosen[first + i]);
      FreeSpaceView& view = views[i];
      view.ranges.clear();
      const Rigid3 origin_from_base{scan.map_from_base.rotation,
                                    scan.map_from_base.translation - origin};
      view.sensor_from_origin =
          Rigid3{Quat::Identity(), -scan.sensor_in_base} * origin_from_base.inverse();
      view.when = sliceOf(toSeconds(scan.stamp - start));
      view.road_up_in_sensor = footing_from_base.rotation.conjugate() * Vec3::UnitZ();
      view.road_in_sensor = -(footing_from_base * scan.sensor_in_base).z();
      for (size_t k = 0; k < scan.points.size(); ++k) {
        const ScanPoint& point = scan.points[k];
        const Vec3 in_base(point.x, point.y, point.z);
        const Vec3 from_sensor = in_base - scan.sensor_in_base;
        const double range = from_sensor.norm();
        if (!(range >= options.min_range && range <= 4 * options.max_range)) continue;
        view.ranges.add(from_sensor.cast<float>());
        if (k % kPointsPerSight != 0 || !(point.intensity > 0) || range > options.max_range)
          continue;
        const uint32_t voxel =
            map.set.find(voxelAt(origin_from_base * in_base, 1 / map.voxel_size));
        if (voxel == VoxelSet::kNone || shapes[voxel].flatness < 0.9f) continue;
        const Vec3 ray = origin_from_base.rotation * from_sensor / range;
        sights[i].push_back({voxel, point.intensity, static_cast<float>(range),
                             std::abs(shapes[voxel].normal.dot(ray.cast<float>()))});
      }
    });
    for (const auto& list : sights)
      evidence.sights.insert(evidence.sights.end(), list.begin(), list.end());
    if (options.remove_moving_objects)
      addFreeSpaceEvidence(map, shapes, views, kFreeSpaceRange, evidence.free_space);
    if (options.progress)
      options.progress(0.6 + 0.35 * static_cast<double>(first + batch) /
                                 static_cast<double>(chosen.size()));
  }
  return evidence;
}

std::shared_ptr<const MovingRegions::Voxels> regionsOf(const VoxelMap& map, const Vec3& origin,
                                                       const std::vector<uint8_t>& is_moving) {
  auto voxels = std::make_shared<MovingRegions::Voxels>();
  voxels->origin = origin;
  voxels->voxel_size = map.voxel_size;
  for (const VoxelSet::Brick& brick : map.set.bricks()) {
    VoxelSet::Mask mask{};
    bool is_any = false;
    forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
      if (!is_moving[number]) return;
      mask[local >> 6] |= uint64_t{1} << (local & 63);
      is_any = true;
    });
    if (is_any) voxels->set.addBrick(brick.key, mask);
  }
  return voxels;
}

MapCloud cloudOf(const VoxelMap& map, const std::vector<VoxelShape>& shapes,
                 const std::vector<uint8_t>& is_moving, const IntensityModel& intensity,
                 const Vec3& origin, const IntegrationOptions& options, Counts& counts) {
  MapCloud cloud{.origin = origin, .voxel_size = map.voxel_size};
  for (const VoxelSet::Brick& brick : map.set.bricks())
    forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
      const VoxelSums& sums = map.sums[number];
      const VoxelShape& shape = shapes[number];
      counts.moving_voxels += is_moving[number];
      if (is_moving[number]) return;
      if (sums.count < options.min_hits && shape.neighbors < 2) {
        ++counts.sparse_voxels;
        return;
      }
      const VoxelCoord v = voxelIn(brick.key, local);
      const Vec3 centre = map.voxel_size * Vec3(v.x + 0.5, v.y + 0.5, v.z + 0.5);
      const auto n = static_cast<float>(sums.count);
      const Vec3f to_sensor = sums.to_sensor.normalized();
      const float cosine = shape.normal.isZero() ? 1.0f : std::abs(shape.normal.dot(to_sensor));
      cloud.positions.push_back(centre.cast<float>() + sums.mean());
      cloud.normals.push_back(shape.normal);
      cloud.spacing.push_back(shape.spacing);
      cloud.reflectivity.push_back(intensity.corrected(sums.intensity / n, sums.range / n, cosine));
      cloud.hits.push_back(sums.count);
      cloud.nearest_range.push_back(sums.nearest_range);
    });
  return cloud;
}

}  // namespace

std::vector<uint32_t> MovingRegions::findIn(const PosedScan& scan) const {
  std::vector<uint32_t> found;
  if (!voxels_ || voxels_->set.size() == 0) return found;
  const Rigid3 origin_from_base{scan.map_from_base.rotation,
                                scan.map_from_base.translation - voxels_->origin};
  const Mat3 rotation = origin_from_base.rotation.toRotationMatrix();
  const double inverse = 1 / voxels_->voxel_size;
  for (size_t i = 0; i < scan.points.size(); ++i) {
    const Vec3 p = rotation * Vec3(scan.points[i].x, scan.points[i].y, scan.points[i].z) +
                   origin_from_base.translation;
    if (!(p.cwiseAbs().maxCoeff() < 2 * kMaxSpan)) continue;
    if (voxels_->set.find(voxelAt(p, inverse)) != VoxelSet::kNone)
      found.push_back(static_cast<uint32_t>(i));
  }
  return found;
}

std::vector<Vec3> MovingRegions::positions() const {
  std::vector<Vec3> middles;
  if (!voxels_) return middles;
  for (const VoxelSet::Brick& brick : voxels_->set.bricks())
    forEachVoxel(brick, [&](uint32_t local, uint32_t) {
      const VoxelCoord v = voxelIn(brick.key, local);
      middles.push_back(voxels_->origin +
                        voxels_->voxel_size * Vec3(v.x + 0.5, v.y + 0.5, v.z + 0.5));
    });
  return middles;
}

size_t MovingRegions::voxelCount() const { return voxels_ ? voxels_->set.size() : 0; }

IntegrationResult integrateScans(const ScanSource& scans, const IntegrationOptions& options) {
  checkOptions(options);
  IntegrationResult result;
  Counts& counts = result.counts;
  counts.scans = scans.count;
  Vec3 origin = Vec3::Zero();
  Stamp start;
  if (scans.count > 0) {
    const PosedScan first = scans.load(0);
    start = first.stamp;
    if (first.map_from_base.translation.allFinite())
      origin = wholeMetres(first.map_from_base.translation);
  }
  const VoxelMap map = accumulate(scans, origin, start, options, counts, result.stamps);
  if (map.set.size() == 0)
    throw Error({.code = ErrorCode::PointcloudEmpty,
                 .component = kComponent,
                 .message = "none of the " + std::to_string(scans.count) +
                            " LiDAR scans has a usable point",
                 .details = {{"scans", counts.scans},
                             {"points", counts.points},
                             {"non_finite", counts.non_finite},
                             {"too_near", counts.too_near},
                             {"too_far", counts.too_far}},
                 .suggestion = "Check topics.lidars in config.yaml and the LiDAR's clouds."});
  const std::vector<VoxelShape> shapes = computeVoxelShapes(map);
  const std::vector<size_t> chosen = chooseViews(result.stamps, options.free_space_rate_hz);
  const Evidence evidence = lookAgain(scans, chosen, map, shapes, origin, start, options);
  const std::vector<uint8_t> is_moving = options.remove_moving_objects
                                             ? findMovingVoxels(map, evidence.free_space)
                                             : std::vector<uint8_t>(map.set.size(), 0);
  result.moving = MovingRegions(regionsOf(map, origin, is_moving));
  const IntensityModel intensity = IntensityModel::fit(evidence.sights, map.set.size());
  result.cloud = cloudOf(map, shapes, is_moving, intensity, origin, options, counts);
  if (options.progress) options.progress(1);
  return result;
}

}  // namespace gs
