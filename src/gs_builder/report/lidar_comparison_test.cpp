// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/lidar_comparison.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs_builder {
namespace {

constexpr double kHeight = 2;   // m of the LiDAR above flat ground
constexpr double kReach = 100;  // m

// Over flat ground, and to a round wall at `wall` metres that every ray above the ground's horizon
// meets; 0 beyond reach.
float rangeIn(double wall, const gs::Vec3& way) {
  const double to_ground = way.z() < 0 ? kHeight / -way.z() : 1e9;
  const double range = std::min(to_ground, wall / std::hypot(way.x(), way.y()));
  return range <= kReach ? static_cast<float>(range) : 0;
}

SweepGrid flatWorld(double wall) {
  SweepGrid grid;
  for (int i = 0; i < 16; ++i) grid.elevations.push_back((-24 + 2 * i) * std::numbers::pi / 180);
  grid.columns = 720;
  for (size_t column = 0; column < grid.columns; ++column)
    for (size_t ring = 0; ring < grid.rings(); ++ring) {
      grid.ranges.push_back(rangeIn(wall, grid.direction(column, ring)));
    }
  return grid;
}

// Rays to all sides in no order, about half a degree apart.
SweepList flatList(double wall) {
  gs::Rng rng(3);
  std::vector<gs::Vec3> ways;
  std::vector<float> ranges;
  for (int i = 0; i < 60'000; ++i) {
    const double azimuth = rng.uniform(-std::numbers::pi, std::numbers::pi);
    const double elevation = rng.uniform(-24, 6) * std::numbers::pi / 180;
    ways.emplace_back(std::cos(elevation) * std::cos(azimuth),
                      std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
    ranges.push_back(rangeIn(wall, ways.back()));
  }
  return SweepList(std::move(ways), std::move(ranges));
}

gs::Heightmap flatGround() {
  gs::Heightmap map{.origin_x = -200, .origin_y = -200, .resolution = 100, .width = 5, .height = 5};
  map.samples.assign(25, 0);
  return map;
}

const gs::Rigid3 kLidar{gs::Quat::Identity(), {0, 0, kHeight}};

void addPoint(ScanPoints& scan, const gs::Vec3& p_in_lidar) {
  const gs::Vec3 p = kLidar * p_in_lidar;
  scan.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
}

TEST(SweepGrid, BeginsBackwardsAndTurnsClockwise) {
  const SweepGrid grid = flatWorld(20);
  const size_t level = 12;  // elevation 0
  EXPECT_NEAR(grid.direction(0, level).x(), -1, 1e-12);
  EXPECT_NEAR(grid.direction(grid.columns / 4, level).y(), 1, 1e-12);
  EXPECT_NEAR(grid.direction(grid.columns / 2, level).x(), 1, 1e-12);
}

TEST(SweepGrid, EveryRayFindsItself) {
  const SweepGrid grid = flatWorld(20);
  for (size_t column = 0; column < grid.columns; column += 7)
    for (size_t ring = 0; ring < grid.rings(); ++ring) {
      const auto place = findPlace(grid, 5 * grid.direction(column, ring));
      ASSERT_TRUE(place);
      EXPECT_EQ(place->column, column);
      EXPECT_EQ(place->ring, ring);
      EXPECT_NEAR(rangeToward(grid, *place), grid.at(column, ring), 1e-3);
    }
}

TEST(SweepGrid, HasNoPlaceAboveAndBelowItsRings) {
  const SweepGrid grid = flatWorld(20);
  EXPECT_FALSE(findPlace(grid, {1, 0, 1}));
  EXPECT_FALSE(findPlace(grid, {1, 0, -1}));
  EXPECT_FALSE(findPlace(grid, {0, 0, 1}));
  EXPECT_FALSE(findPlace(grid, {std::numeric_limits<double>::quiet_NaN(), 0, 0}));
  EXPECT_FALSE(findPlace({}, {1, 0, 0}));
}

TEST(LidarComparer, GroundBetweenTheRingsIsTheSameGround) {
  const gs::Heightmap ground = flatGround();
  ScanPoints scan;
  // Between the rings and between the columns: nothing here is a ray of the grid.
  for (double azimuth = -3; azimuth < 3; azimuth += 0.0171)
    for (double elevation = -0.4; elevation < -0.12; elevation += 0.0137)
      addPoint(scan, kHeight / -std::sin(elevation) *
                         gs::Vec3(std::cos(elevation) * std::cos(azimuth),
                                  std::cos(elevation) * std::sin(azimuth), std::sin(elevation)));
  LidarComparer comparer(ground);
  comparer.add(flatWorld(60), scan, {}, kLidar, {});
  const LidarComparison result = comparer.result();
  EXPECT_EQ(result.ground.recorded, scan.size());
  EXPECT_EQ(result.other.recorded, 0);
  EXPECT_EQ(result.ground.coverage(), 1);
  EXPECT_LT(result.ground.percentile_90, 0.01);
  EXPECT_EQ(result.ground.within_10_cm, 1);
}

TEST(LidarComparer, MeasuresAWallThatIsTooFarAndCountsWhatDoesNotComeBack) {
  const gs::Heightmap ground = flatGround();
  const SweepGrid simulated = flatWorld(20.25);
  SweepGrid recorded = flatWorld(20);
  ScanPoints scan;
  const size_t ring = 13;  // looks up, so it meets the wall
  for (size_t column = 0; column < recorded.columns; ++column)
    addPoint(scan, recorded.at(column, ring) * recorded.direction(column, ring));
  const size_t walls = scan.size();
  const auto first_moving = static_cast<uint32_t>(scan.size());
  addPoint(scan, 10 * simulated.direction(100, ring));  // on a car that is not in the world
  addPoint(scan, {0.5, 0.5, 0});                        // on the vehicle itself

  LidarComparer comparer(ground);
  const auto compared = comparer.add(simulated, scan, {first_moving, 4'000'000}, kLidar, {});
  const LidarComparison result = comparer.result();
  ASSERT_EQ(compared.size(), walls);
  EXPECT_NEAR(compared[0].error, 0.25 / std::cos(recorded.elevations[ring]), 1e-3);
  EXPECT_EQ(result.other.recorded, walls);
  EXPECT_NEAR(result.all.median, 0.25, 1e-3);
  EXPECT_EQ(result.all.within_10_cm, 0);
  EXPECT_EQ(result.all.within_30_cm, 1);
  EXPECT_EQ(result.moving, 1u);
  EXPECT_EQ(result.errors.total(), walls);
  EXPECT_EQ(result.errors.counts[25], walls);  // 0.25 to 0.30 m of -1 to 1 in 40 bars

  SweepGrid nothing = simulated;
  std::fill(nothing.ranges.begin(), nothing.ranges.end(), 0.0f);
  LidarComparer of_nothing(ground);
  of_nothing.add(nothing, scan, {first_moving}, kLidar, {});
  EXPECT_EQ(of_nothing.result().all.coverage(), 0);
  EXPECT_EQ(of_nothing.result().all.within_30_cm, 0);

  // What one half misses is wrong, however right the other half is.
  SweepGrid half = simulated;
  std::fill(half.ranges.begin(), half.ranges.begin() + half.ranges.size() / 2, 0.0f);
  LidarComparer of_half(ground);
  of_half.add(half, scan, {first_moving}, kLidar, {});
  EXPECT_NEAR(of_half.result().other.within_30_cm, 0.5, 0.01);
  EXPECT_TRUE(std::isnan(of_nothing.result().all.median));
}

TEST(LidarComparer, ConfirmsSimulatedReturnsOnlyWhereTheRecordingHasSome) {
  const gs::Heightmap ground = flatGround();
  const SweepGrid world = flatWorld(20);
  ScanPoints left_half;  // y > 0: the first half of the turn
  for (size_t column = 0; column < world.columns / 2; ++column)
    for (size_t ring = 0; ring < world.rings(); ++ring)
      addPoint(left_half, world.at(column, ring) * world.direction(column, ring));
  LidarComparer comparer(ground);
  comparer.add(world, left_half, {}, kLidar, {});
  const LidarComparison result = comparer.result();
  EXPECT_EQ(result.simulated, world.columns * world.rings());
  EXPECT_NEAR(result.confirmation(), 0.5, 0.005);  // one column more at each end
  EXPECT_EQ(result.all.coverage(), 1);
}

TEST(SweepList, BetweenItsRaysAPlaneIsAPlane) {
  const SweepList list = flatList(20);
  const SweepGrid between = flatWorld(20);
  size_t asked = 0, near = 0;
  for (size_t i = 0; i < between.ranges.size(); ++i) {
    const gs::Vec3 way = between.direction(i);
    const auto place = findPlace(list, 3 * way);
    if (!place) continue;
    ++asked;
    near += std::abs(rangeToward(list, *place) - between.ranges[i]) < 0.02;
  }
  EXPECT_GT(asked, between.ranges.size() * 95 / 100);
  EXPECT_GT(near, asked * 90 / 100) << "but where the ground meets the wall";
}

TEST(SweepList, EveryRayFindsItselfAndNothingIsFoundOutside) {
  const SweepList list = flatList(20);
  for (size_t i = 0; i < list.ranges.size(); i += 97)
    EXPECT_EQ(findPlace(list, 7 * list.direction(i))->rays.front(), i);
  EXPECT_FALSE(findPlace(list, {1, 0, 1}));
  EXPECT_FALSE(findPlace(list, {0, 0, 0}));
  EXPECT_FALSE(findPlace(list, {std::numeric_limits<double>::quiet_NaN(), 0, 0}));
  EXPECT_FALSE(findPlace(SweepList({}, {}), {1, 0, 0}));
}

TEST(SweepList, RaysInOneLineSayNothingOfWhatIsBesideIt) {
  std::vector<gs::Vec3> ways;
  std::vector<float> ranges;
  for (int i = -20; i <= 20; ++i) {
    ways.push_back(gs::Vec3(1, 0.01 * i, 0).normalized());
    ranges.push_back(10);
  }
  const SweepList line(ways, ranges);
  const auto place = findPlace(line, {1, 0.003, 0.004});
  ASSERT_TRUE(place);
  EXPECT_NEAR(rangeToward(line, *place), 10, 0.05);
}

TEST(LidarComparer, TakesSweepsThatAreNoGrid) {
  const gs::Heightmap ground = flatGround();
  const SweepGrid recorded = flatWorld(20);
  ScanPoints scan;
  for (size_t i = 0; i < recorded.ranges.size(); i += 3)
    if (recorded.ranges[i] > 0) addPoint(scan, recorded.ranges[i] * recorded.direction(i));
  LidarComparer same(ground), farther(ground);
  same.add(flatList(20), scan, {}, kLidar, {});
  const LidarComparison result = same.result();
  EXPECT_GT(result.all.coverage(), 0.98);
  EXPECT_LT(result.all.median, 0.005);
  EXPECT_GT(result.all.within_10_cm, 0.95);
  farther.add(flatList(20.25), scan, {}, kLidar, {});
  EXPECT_NEAR(farther.result().other.median, 0.25, 0.01);

  // Its own points confirm it; half of them, about half of it.
  ScanPoints own, left_half;
  for (const gs::Vec3& p : pointsOf(flatList(20))) {
    addPoint(own, p);
    if (p.y() > 0) addPoint(left_half, p);
  }
  LidarComparer with_own(ground), with_half(ground);
  with_own.add(flatList(20), own, {}, kLidar, {});
  with_half.add(flatList(20), left_half, {}, kLidar, {});
  EXPECT_EQ(with_own.result().confirmation(), 1);
  EXPECT_LT(with_own.result().all.median, 1e-3);
  EXPECT_NEAR(with_half.result().confirmation(), 0.5, 0.01);
}

}  // namespace
}  // namespace gs_builder
