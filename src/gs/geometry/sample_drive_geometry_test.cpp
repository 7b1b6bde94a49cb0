// SPDX-License-Identifier: Apache-2.0
// The whole room on a few seconds of the sample drive, whose truth is exact. `./dev accuracy` is
// the same for the whole drive; limits here leave room for the shorter look.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/parallel.hpp"
#include "gs/geometry/drivable_builder.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/testing/road_agreement.hpp"
#include "gs/geometry/testing/sample_scans.hpp"
#include "gs/synthetic/drive_presets.hpp"

namespace gs {
namespace {

const SampleDriveTruth& truth() {
  static const SampleDriveTruth drive([] {
    SampleDriveOptions options;
    options.seconds = 6;
    return options;
  }());
  return drive;
}
const SampleScans& sample() {
  static const SampleScans scans = makeSampleScans(truth(), 2);
  return scans;
}
const IntegrationResult& map() {
  static const IntegrationResult result = integrateScans(sourceOf(sample().scans), {});
  return result;
}
const GroundSurface& ground() {
  static const GroundSurface surface = buildGroundSurface(map().cloud, sample().trajectory, {});
  return surface;
}

TEST(SampleDriveGeometry, RemovesMovingThingsAndKeepsTheTown) {
  double moving = 0, removed = 0, still = 0, lost = 0;
  for (size_t i = 0; i < sample().scans.size(); ++i) {
    const std::vector<Thing>& things = sample().things[i];
    std::vector<uint8_t> found(things.size(), 0);
    for (const uint32_t k : map().moving.findIn(sample().scans[i])) found[k] = 1;
    for (size_t k = 0; k < found.size(); ++k) {
      const bool is_moving = things[k] == Thing::Moving;
      ++(is_moving ? moving : still);
      if (found[k]) ++(is_moving ? removed : lost);
    }
  }
  EXPECT_GT(removed / moving, 0.85);  // six seconds see through fewer places than thirty
  EXPECT_LT(lost / still, 0.005);
}

TEST(SampleDriveGeometry, FindsTheGroundToTheCentimetre) {
  const DrivableArea road = truth().town.drivable();
  const Heightmap& heights = ground().heights;
  double cells = 0, known = 0, good = 0, square = 0;
  for (int row = 0; row < heights.height; ++row)
    for (int col = 0; col < heights.width; ++col) {
      const double x = heights.origin_x + col * heights.resolution;
      const double y = heights.origin_y + row * heights.resolution;
      // Only along the way: six seconds do not see the whole loop.
      double nearest = 1e9;
      for (size_t i = 0; i < sample().trajectory.size(); i += 4)
        nearest = std::min(nearest, std::hypot(x - sample().trajectory[i].translation.x(),
                                               y - sample().trajectory[i].translation.y()));
      if (nearest > 5 || !isDrivable(road, x, y) || !isDrivable(road, x + 0.01, y + 0.01) ||
          !isDrivable(road, x - 0.01, y - 0.01))
        continue;
      ++cells;
      if (std::isnan(heights.at(col, row))) continue;
      const double error =
          static_cast<double>(heights.at(col, row)) - truth().town.groundHeight(x, y);
      ++known;
      square += error * error;
      good += std::abs(error) < 0.05;
    }
  EXPECT_GT(known / cells, 0.98);
  EXPECT_LT(std::sqrt(square / known), 0.02);
  EXPECT_GT(good / known, 0.98);
}

TEST(SampleDriveGeometry, GrowsTheRoadUpToItsKerbs) {
  const DrivableArea area = growDrivableArea(ground(), map().cloud, sample().trajectory, {});
  const DrivableArea road = truth().town.drivable();
  DrivableArea both = area;
  both.features.insert(both.features.end(), road.features.begin(), road.features.end());
  // Nearly nothing outside the road.
  EXPECT_LT(areaOf(both) - areaOf(road), 0.02 * areaOf(area));
  EXPECT_GT(areaOf(area), 300);
  for (const DrivableFeature& feature : area.features)
    for (const Polygon& polygon : feature.polygons) EXPECT_EQ(invalidityOf(polygon), "");
}

// A log as real cars write it: 64 uneven beams, base_link an IMU 0.95 m above the road and tilted.
TEST(RealDriveGeometry, FindsGroundAndRoadBelowABaseLinkThatHangsHigh) {
  SampleDriveOptions options = driveOptionsFor(DrivePreset::Real, 3);
  options.seconds = 3;
  options.rig.lidars.begin()->second.spec.horizontal_resolution_deg = 0.4;
  const SampleDriveTruth drive(options);
  const SampleScans scans = makeSampleScans(drive, 2);
  const IntegrationResult result = integrateScans(sourceOf(scans.scans), {});
  const GroundSurface surface = buildGroundSurface(result.cloud, scans.trajectory, {});
  const DrivableArea area = growDrivableArea(surface, result.cloud, scans.trajectory, {});
  const RoadAgreement road = compareRoad(area, drive.town, scans.trajectory, 8);
  EXPECT_GT(road.iou, 0.9);
  EXPECT_LT(road.outside, 0.02);
  for (const Rigid3& pose : scans.trajectory)
    EXPECT_TRUE(isDrivable(area, pose.translation.x(), pose.translation.y()));
  std::vector<double> errors;
  for (const Rigid3& pose : scans.trajectory)
    for (double side = -4; side <= 4; side += 0.5) {
      const Vec3 p = pose * Vec3(0, side, 0);
      if (!isDrivable(drive.town.drivable(), p.x(), p.y())) continue;
      const double error =
          std::abs(heightAt(surface.heights, p.x(), p.y()) - drive.town.groundHeight(p.x(), p.y()));
      errors.push_back(std::isnan(error) ? 1 : error);
    }
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[errors.size() / 2], 0.02);
  EXPECT_LT(errors[errors.size() * 95 / 100], 0.1);
}

TEST(SampleDriveGeometry, IsTheSameForOneThreadAndForEight) {
  const std::vector<PosedScan> some(sample().scans.begin(), sample().scans.begin() + 12);
  const auto run = [&](int threads) {
    setThreadCount(threads);
    const IntegrationResult result = integrateScans(sourceOf(some), {});
    GroundSurface surface = buildGroundSurface(result.cloud, sample().trajectory, {});
    DrivableArea area = growDrivableArea(surface, result.cloud, sample().trajectory, {});
    setThreadCount(0);
    return std::pair(std::move(surface.heights), std::move(area));
  };
  EXPECT_TRUE(run(1) == run(8));
}

}  // namespace
}  // namespace gs
