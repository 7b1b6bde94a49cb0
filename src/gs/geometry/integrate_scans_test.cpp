// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/integrate_scans.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// Flat ground, a wall at x = 20, and a box that drives past along y: everything known.
struct ToyWorld {
  Vec3 offset = Vec3::Zero();  // of the whole world in the map
  double box_speed = 4;

  static constexpr double kBoxX = 8, kBoxHalf = 1, kBoxHeight = 1.5;
  double boxY(double t) const { return -12 + box_speed * t; }

  struct Hit {
    double range = 0;
    bool is_box = false;
  };
  Hit cast(const Vec3& from, const Vec3& ray, double t) const {
    Hit hit;
    const auto offer = [&](double range, bool is_box) {
      if (range > 0.5 && range < 60 && (hit.range == 0 || range < hit.range)) hit = {range, is_box};
    };
    if (ray.z() < 0) offer(-from.z() / ray.z(), false);
    if (ray.x() > 0 && from.z() + ray.z() * (20 - from.x()) / ray.x() < 6)
      offer((20 - from.x()) / ray.x(), false);
    const Vec3 low(kBoxX - kBoxHalf, boxY(t) - kBoxHalf, 0.1);
    const Vec3 high(kBoxX + kBoxHalf, boxY(t) + kBoxHalf, kBoxHeight);
    double enter = 0, leave = 1e9;
    for (int a = 0; a < 3; ++a) {
      double near = (low[a] - from[a]) / ray[a], far = (high[a] - from[a]) / ray[a];
      if (near > far) std::swap(near, far);
      enter = std::max(enter, near);
      leave = std::min(leave, far);
    }
    if (enter < leave) offer(enter, true);
    return hit;
  }

  // The sensor stands 2 m above the ground and drives slowly along x.
  PosedScan scanAt(double t, std::vector<uint8_t>* is_box = nullptr) const {
    PosedScan scan;
    scan.stamp = {static_cast<int64_t>(t * 1e9)};
    scan.map_from_base = {fromRollPitchYaw(0, 0, 0.1), Vec3(0.5 * t, 0, 0) + offset};
    scan.sensor_in_base = Vec3(0, 0, 2);
    for (double elevation = -25; elevation <= 10; elevation += 1.1)
      for (double azimuth = -80; azimuth < 80; azimuth += 0.4) {
        const Vec3 ray(std::cos(elevation * kDegree) * std::cos(azimuth * kDegree),
                       std::cos(elevation * kDegree) * std::sin(azimuth * kDegree),
                       std::sin(elevation * kDegree));
        const Vec3 in_map = scan.map_from_base.rotation * ray;
        const Hit hit = cast(Vec3(0.5 * t, 0, 2), in_map, t);
        if (hit.range == 0) continue;
        const Vec3 p = scan.sensor_in_base + hit.range * ray;
        scan.points.push_back(
            {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()), 100});
        if (is_box != nullptr) is_box->push_back(hit.is_box);
      }
    return scan;
  }
};

std::vector<PosedScan> scansOf(const ToyWorld& world, int count = 60) {
  std::vector<PosedScan> scans;
  for (int k = 0; k < count; ++k) scans.push_back(world.scanAt(0.1 * k));
  return scans;
}

ScanSource sourceOf(const std::vector<PosedScan>& scans) {
  return {scans.size(), [&scans](size_t i) { return scans[i]; }};
}

ErrorCode codeOf(const std::vector<PosedScan>& scans, const IntegrationOptions& options = {}) {
  try {
    integrateScans(sourceOf(scans), options);
  } catch (const Error& error) {
    return error.report().code;
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::UsageError;
}

TEST(IntegrateScans, RemovesWhatMovesAndKeepsWhatStands) {
  const ToyWorld world;
  const std::vector<PosedScan> scans = scansOf(world);
  const IntegrationResult map = integrateScans(sourceOf(scans), {});
  size_t box = 0, box_found = 0, still = 0, still_lost = 0;
  for (int k = 0; k < 60; ++k) {
    std::vector<uint8_t> is_box;
    const PosedScan scan = world.scanAt(0.1 * k, &is_box);
    std::vector<uint8_t> found(is_box.size(), 0);
    for (const uint32_t i : map.moving.findIn(scan)) found[i] = 1;
    for (size_t i = 0; i < found.size(); ++i) {
      ++(is_box[i] ? box : still);
      if (found[i]) ++(is_box[i] ? box_found : still_lost);
    }
  }
  ASSERT_GT(box, 5000u);
  EXPECT_GT(static_cast<double>(box_found), 0.88 * static_cast<double>(box));  // of a short look
  EXPECT_LT(static_cast<double>(still_lost), 0.005 * static_cast<double>(still));
  EXPECT_EQ(map.counts.scans, 60u);
  EXPECT_GT(map.counts.moving_voxels, 100u);
}

TEST(IntegrateScans, KeepsAllWhenNothingShallBeRemoved) {
  const std::vector<PosedScan> scans = scansOf({}, 10);
  const IntegrationResult map = integrateScans(sourceOf(scans), {.remove_moving_objects = false});
  EXPECT_EQ(map.counts.moving_voxels, 0u);
  EXPECT_EQ(map.moving.voxelCount(), 0u);
  EXPECT_TRUE(map.moving.findIn(scans[0]).empty());
}

TEST(IntegrateScans, KeepsABoxThatNeverMoves) {
  const ToyWorld world{.box_speed = 0};
  ToyWorld parked = world;
  const std::vector<PosedScan> scans = scansOf(parked, 30);
  const IntegrationResult map = integrateScans(sourceOf(scans), {});
  EXPECT_LT(map.counts.moving_voxels, map.cloud.size() / 200);
}

TEST(IntegrateScans, GivesPointsOnTheSurfacesWithNormalsTowardsTheSensor) {
  const std::vector<PosedScan> scans = scansOf({}, 30);
  const IntegrationResult map = integrateScans(sourceOf(scans), {});
  size_t ground = 0, wall = 0;
  for (size_t i = 0; i < map.cloud.size(); ++i) {
    const Vec3 p = map.cloud.positionInMap(i);
    EXPECT_GT(map.cloud.spacing[i], 0);
    EXPECT_LT(map.cloud.spacing[i], 0.2f);
    if (map.cloud.normals[i].isZero()) continue;
    EXPECT_NEAR(map.cloud.normals[i].norm(), 1, 1e-4);
    if (std::abs(p.z()) < 1e-3 && p.x() > 3 && p.x() < 6 && std::abs(p.y()) < 3) {
      EXPECT_GT(map.cloud.normals[i].z(), 0.98f);
      ++ground;
    }
    if (std::abs(p.x() - 20) < 1e-3 && p.z() > 1 && p.z() < 3 && std::abs(p.y()) < 5) {
      EXPECT_LT(map.cloud.normals[i].x(), -0.98f);
      ++wall;
    }
  }
  EXPECT_GT(ground, 300u);
  EXPECT_GT(wall, 100u);
}

TEST(IntegrateScans, LearnsHowIntensityFallsWithAngleAndRange) {
  // The sensor weakens by range and angle; the ground reflects 100 everywhere.
  std::vector<PosedScan> scans = scansOf({.box_speed = 1000}, 40);
  for (PosedScan& scan : scans)
    for (ScanPoint& p : scan.points) {
      const Vec3 from = Vec3(p.x, p.y, p.z) - scan.sensor_in_base;
      const bool is_ground = p.z < 0.01f;
      const double cosine = is_ground
                                ? 2 / from.norm()
                                : std::abs((scan.map_from_base.rotation * from).x()) / from.norm();
      p.intensity = static_cast<float>(100 * std::sqrt(cosine) * 10 / (10 + from.norm()));
    }
  const IntegrationResult map = integrateScans(sourceOf(scans), {});
  double low = 1e9, high = 0;
  for (size_t i = 0; i < map.cloud.size(); ++i) {
    const Vec3 p = map.cloud.positionInMap(i);
    if (p.z() > 0.02 || p.x() > 18 || p.x() < 5 || std::abs(p.y()) > 3 || map.cloud.hits[i] < 5)
      continue;
    low = std::min(low, static_cast<double>(map.cloud.reflectivity[i]));
    high = std::max(high, static_cast<double>(map.cloud.reflectivity[i]));
  }
  // Raw values differ by a factor of 3 between 5 m and 18 m.
  EXPECT_LT(high / low, 2.1);
}

TEST(IntegrateScans, GivesTheSameBytesForAnyNumberOfThreads) {
  const std::vector<PosedScan> scans = scansOf({}, 25);
  const auto run = [&](int threads) {
    setThreadCount(threads);
    IntegrationResult map = integrateScans(sourceOf(scans), {});
    setThreadCount(0);
    return map;
  };
  const IntegrationResult one = run(1), eight = run(8);
  EXPECT_TRUE(one.cloud.positions == eight.cloud.positions);
  EXPECT_TRUE(one.cloud.normals == eight.cloud.normals);
  EXPECT_TRUE(one.cloud.reflectivity == eight.cloud.reflectivity);
  EXPECT_TRUE(one.cloud.spacing == eight.cloud.spacing);
  EXPECT_EQ(one.moving.voxelCount(), eight.moving.voxelCount());
}

TEST(IntegrateScans, IsAsExactFarFromTheOriginOfTheMap) {
  const std::vector<PosedScan> near = scansOf({}, 5),
                               far = scansOf({.offset = Vec3(1e6, -3e6, 500)}, 5);
  const IntegrationResult a = integrateScans(sourceOf(near), {}),
                          b = integrateScans(sourceOf(far), {});
  EXPECT_NEAR(static_cast<double>(a.cloud.size()), static_cast<double>(b.cloud.size()),
              0.01 * static_cast<double>(a.cloud.size()));
  for (size_t i = 0; i < b.cloud.size(); ++i) {
    const double z = b.cloud.positionInMap(i).z() - 500;
    const double x = b.cloud.positionInMap(i).x() - 1e6;
    if (z < 0.05 && x < 6) {
      EXPECT_NEAR(z, 0, 2e-3);
    }
  }
}

TEST(IntegrateScans, StaysWithinTheBudgetByDoublingTheVoxels) {
  const std::vector<PosedScan> scans = scansOf({}, 10);
  const IntegrationResult map = integrateScans(sourceOf(scans), {.max_voxels = 2000});
  EXPECT_GT(map.counts.doublings, 0);
  EXPECT_LE(map.cloud.size(), 2000u);
  EXPECT_DOUBLE_EQ(map.cloud.voxel_size, 0.1 * std::pow(2, map.counts.doublings));
  for (size_t i = 0; i < map.cloud.size(); ++i)
    EXPECT_LT(map.cloud.positionInMap(i).x(), 20.01);  // means stay on the surfaces
}

TEST(IntegrateScans, SkipsPointsThatAreNotFiniteAndScansThatAreEmpty) {
  std::vector<PosedScan> scans = scansOf({}, 4);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  scans[1].points.clear();
  scans[2].points.push_back({kNan, 0, 0, 1});
  scans[2].points.push_back({kInf, 1, 1, 1});
  scans[2].points.push_back({1e30f, 1, 1, 1});
  scans[2].points.push_back({5, 5, 0, kNan});
  const IntegrationResult map = integrateScans(sourceOf(scans), {});
  EXPECT_EQ(map.counts.non_finite, 2u);
  EXPECT_EQ(map.counts.empty_scans, 1u);
  EXPECT_GE(map.counts.too_far, 1u);
  for (const Vec3f& p : map.cloud.positions) EXPECT_TRUE(p.allFinite());
  for (const float r : map.cloud.reflectivity) EXPECT_TRUE(std::isfinite(r));
  (void)map.moving.findIn(scans[2]);
}

TEST(IntegrateScans, TakesOneScan) {
  const std::vector<PosedScan> scans = scansOf({}, 1);
  EXPECT_GT(integrateScans(sourceOf(scans), {}).cloud.size(), 1000u);
}

TEST(IntegrateScans, RefusesWhatMakesNoSense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(codeOf({}), ErrorCode::PointcloudEmpty);
  EXPECT_EQ(codeOf(std::vector<PosedScan>(3)), ErrorCode::PointcloudEmpty);
  std::vector<PosedScan> scans = scansOf({}, 3);
  scans[1].map_from_base.translation.x() = kNan;
  EXPECT_EQ(codeOf(scans), ErrorCode::InputInvalid);
  scans[1].map_from_base.translation.x() = 1e9;
  EXPECT_EQ(codeOf(scans), ErrorCode::InputInvalid);
  scans = scansOf({}, 2);
  EXPECT_EQ(codeOf(scans, {.voxel_size = 0}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(codeOf(scans, {.voxel_size = kNan}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(codeOf(scans, {.min_range = 10, .max_range = 5}), ErrorCode::ConfigInvalid);
}

}  // namespace
}  // namespace gs
