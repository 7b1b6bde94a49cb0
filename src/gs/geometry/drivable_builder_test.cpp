// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/drivable_builder.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/testing/plane_cloud.hpp"

namespace gs {
namespace {

std::vector<Rigid3> lineOf(double length, double step) {
  std::vector<Rigid3> poses;
  for (double x = 0; x <= length + 1e-9; x += step)
    poses.push_back({Quat::Identity(), Vec3(x, 0, 0)});
  return poses;
}

void expectValid(const DrivableArea& area) {
  for (const DrivableFeature& feature : area.features)
    for (const Polygon& polygon : feature.polygons) {
      EXPECT_EQ(invalidityOf(polygon), "");
      EXPECT_GT(signedArea(polygon.outer), 0);
      EXPECT_EQ(polygon.outer.front(), polygon.outer.back());
      for (const Ring& hole : polygon.holes) EXPECT_LT(signedArea(hole), 0);
    }
}

TEST(TrajectoryBuffer, OfAStraightLineIsItsRectangleAndTwoHalfDiscs) {
  const std::vector<Rigid3> poses = lineOf(100, 0.1);
  const DrivableArea area = bufferTrajectory(poses, {.buffer_width = 5, .simplify_tolerance = 0});
  EXPECT_NEAR(areaOf(area), 1000 + std::numbers::pi * 25, 2);
  expectValid(area);
  for (const Rigid3& pose : poses) EXPECT_TRUE(isDrivable(area, pose.translation.x(), 0));
}

TEST(TrajectoryBuffer, KeepsEveryPoseInsideWhenItIsNarrowerThanTheTolerance) {
  std::vector<Rigid3> poses;
  for (double t = 0; t < 20; t += 0.05)
    poses.push_back({Quat::Identity(), Vec3(4 * t, 6 * std::sin(t), 0)});
  const DrivableArea area =
      bufferTrajectory(poses, {.buffer_width = 0.3, .simplify_tolerance = 0.5});
  expectValid(area);
  for (const Rigid3& pose : poses)
    EXPECT_TRUE(isDrivable(area, pose.translation.x(), pose.translation.y()));
}

TEST(TrajectoryBuffer, OfAStandingCarIsADisc) {
  const DrivableArea area =
      bufferTrajectory(std::vector<Rigid3>(500), {.buffer_width = 5, .simplify_tolerance = 0});
  EXPECT_NEAR(areaOf(area), std::numbers::pi * 25, 1);
  EXPECT_NEAR(areaOf(bufferTrajectory({Rigid3{}}, {.buffer_width = 5, .simplify_tolerance = 0})),
              std::numbers::pi * 25, 1);
}

TEST(TrajectoryBuffer, OfALoopHasAHole) {
  std::vector<Rigid3> poses;
  for (double a = 0; a < 6.3; a += 0.01)
    poses.push_back(
        {Quat::Identity(), 1e6 * Vec3::UnitX() + 50 * Vec3(std::cos(a), std::sin(a), 0)});
  const DrivableArea area = bufferTrajectory(poses, {});
  ASSERT_EQ(area.features.size(), 1u);
  ASSERT_EQ(area.features[0].polygons.size(), 1u);
  EXPECT_EQ(area.features[0].polygons[0].holes.size(), 1u);
  expectValid(area);
}

TEST(TrajectoryBuffer, RefusesWhatMakesNoSense) {
  const auto codeOf = [](const std::vector<Rigid3>& poses, const TrajectoryBufferOptions& options) {
    try {
      bufferTrajectory(poses, options);
    } catch (const Error& error) {
      return error.report().code;
    }
    return ErrorCode::UsageError;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(codeOf({}, {}), ErrorCode::InsufficientData);
  EXPECT_EQ(codeOf({{Quat::Identity(), Vec3(0, kNan, 0)}}, {}), ErrorCode::InputInvalid);
  EXPECT_EQ(codeOf({Rigid3{}}, {.buffer_width = 0}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(codeOf({Rigid3{}}, {.buffer_width = kNan}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(codeOf({Rigid3{}}, {.simplify_tolerance = -1}), ErrorCode::ConfigInvalid);
}

// A street 8 m wide between kerbs of 10 cm, 20 m long to each side of the origin, closed ends.
double street(double x, double y) { return std::abs(y) > 4 || std::abs(x) > 18 ? 0.1 : 0.0; }

struct Street {
  MapCloud cloud = cloudOver(22, 0.07, street);
  std::vector<Rigid3> poses;
  Street() {
    for (double x = -10; x <= 10; x += 0.2) poses.push_back({Quat::Identity(), Vec3(x, -1, 0)});
  }
  DrivableArea grow(const GroundDrivableOptions& options = {}) const {
    const GroundSurface ground =
        buildGroundSurface(cloud, poses, {.extent = MapExtent{-21, 21, -21, 21}});
    return growDrivableArea(ground, cloud, poses, options);
  }
};

TEST(GroundDrivable, ReachesUpToTheKerbsAndNoFarther) {
  const DrivableArea area = Street().grow();
  expectValid(area);
  EXPECT_NEAR(areaOf(area), 36 * 8, 8);
  EXPECT_TRUE(isDrivable(area, 0, 3.7));
  EXPECT_FALSE(isDrivable(area, 0, 4.4));
}

TEST(GroundDrivable, LeavesOutWhatStandsOnTheRoad) {
  Street world;
  for (double a = 0; a < 6.3; a += 0.05)  // an advertising column, hollow as scans see it
    for (double z = 0.1; z < 2.5; z += 0.1)
      addPoint(world.cloud, {3 + 0.9 * std::cos(a), 1 + 0.9 * std::sin(a), z},
               {std::cos(a), std::sin(a), 0});
  for (double x = -10; x < -5; x += 0.1) addPoint(world.cloud, {x, 1, 4.5}, Vec3::UnitZ());  // sign
  const DrivableArea area = world.grow();
  expectValid(area);
  EXPECT_FALSE(isDrivable(area, 3, 1));
  EXPECT_TRUE(isDrivable(area, 3, -0.4));
  EXPECT_TRUE(isDrivable(area, -7, 1));
  ASSERT_EQ(area.features.size(), 1u);
  EXPECT_EQ(area.features[0].polygons[0].holes.size(), 1u);
}

TEST(GroundDrivable, DoesNotLeakThroughAGapNarrowerThanACar) {
  Street world;
  world.cloud = cloudOver(22, 0.07, [](double x, double y) {
    return x > 2 && x < 3 && y > 0 && y < 8 ? 0.0 : street(x, y);  // a ramp for wheelchairs
  });
  EXPECT_FALSE(isDrivable(world.grow(), 2.5, 6));
  EXPECT_NEAR(areaOf(world.grow()), 36 * 8, 9);
}

void expectDriven(const DrivableArea& area, const std::vector<Rigid3>& poses) {
  for (const Rigid3& pose : poses)
    for (const double side : {-0.8, 0.0, 0.8})
      EXPECT_TRUE(isDrivable(area, pose.translation.x(), pose.translation.y() + side))
          << pose.translation.transpose() << " side " << side;
}

TEST(GroundDrivable, GoesOnWhereTheGroundUnderThePathIsNotKnown) {
  Street world;
  const auto keep = [](const Vec3f& p) { return std::abs(p.x()) > 5 || p.y() > 4; };
  MapCloud seen{.origin = world.cloud.origin, .voxel_size = world.cloud.voxel_size};
  for (size_t i = 0; i < world.cloud.size(); ++i)  // ten metres of the road gave no echo: water
    if (keep(world.cloud.positions[i]))
      addPoint(seen, world.cloud.positionInMap(i), world.cloud.normals[i].cast<double>());
  world.cloud = seen;
  const DrivableArea area = world.grow({.unknown_buffer = 2});
  expectValid(area);
  expectDriven(area, world.poses);
  EXPECT_TRUE(isDrivable(area, -12, 3));  // measured: up to the kerb
  EXPECT_TRUE(isDrivable(area, 12, 3));
  EXPECT_TRUE(isDrivable(area, 0, 0.7));  // unknown: the buffer
  EXPECT_FALSE(isDrivable(area, 0, 1.5));
  EXPECT_FALSE(isDrivable(area, 0, 4.4));
}

TEST(GroundDrivable, ContainsTheWayTheEgoDroveWhateverStandsThere) {
  Street world;
  world.cloud = cloudOver(22, 0.07, [](double x, double y) {
    return std::abs(x - 1) < 0.3 ? 0.09 : street(x, y);  // a threshold across the road
  });
  for (double x = -4; x < -3; x += 0.05)  // what the car behind left in the map
    for (double z = 0.3; z < 1.5; z += 0.1)
      for (double y = -1.8; y < 0; y += 0.1) addPoint(world.cloud, {x, y, z}, Vec3::UnitX());
  const DrivableArea area = world.grow();
  expectValid(area);
  expectDriven(area, world.poses);
  EXPECT_TRUE(isDrivable(area, 10, 3));  // behind the threshold it is a road again
}

TEST(GroundDrivable, WhatWasSeenLessOftenThanTheGroundUnderItHasGone) {
  const auto addCar = [](Street& world, double x0, uint32_t hits) {
    for (double x = x0; x < x0 + 4; x += 0.1)
      for (double y = 1; y < 2.8; y += 0.1)
        for (double z = 0.3; z < 1.5; z += 0.3)
          addPoint(world.cloud, {x, y, z}, Vec3::UnitX(), hits);
  };
  Street world;
  addCar(world, -8, 1);  // passed once
  addCar(world, 4, 50);  // stands
  const DrivableArea area = world.grow();
  EXPECT_TRUE(isDrivable(area, -6, 2));
  EXPECT_FALSE(isDrivable(area, 6, 2));
}

TEST(GroundDrivable, ABollardIsNoHole) {
  Street world;
  for (double z = 0; z < 1; z += 0.05)
    for (double a = 0; a < 6.3; a += 0.3)
      addPoint(world.cloud, {5 + 0.1 * std::cos(a), 1.5 + 0.1 * std::sin(a), z}, Vec3::UnitX());
  const DrivableArea area = world.grow();
  EXPECT_TRUE(area.features.at(0).polygons.at(0).holes.empty());
  EXPECT_TRUE(isDrivable(area, 5, 3.5));
}

TEST(GroundDrivable, HasNoSmallHolesWhereManyThingsStandBesideAKerb) {
  Street world;
  Rng rng(7);
  for (int post = 0; post < 60; ++post) {
    const double x = rng.uniform(-15, 15), y = rng.uniform(2.2, 3.9);
    for (double z = 0; z < 1; z += 0.1) addPoint(world.cloud, {x, y, z}, Vec3::UnitX(), 50);
  }
  const DrivableArea area = world.grow();
  expectValid(area);
  for (const Polygon& polygon : area.features.at(0).polygons)
    for (const Ring& hole : polygon.holes)
      EXPECT_GE(-signedArea(hole), GroundDrivableOptions{}.min_hole_area);
}

TEST(GroundDrivable, SeesAKerbOfSixCentimetresOnARoadThatLeans) {
  Street world;
  world.cloud = cloudOver(
      22, 0.07, [](double x, double y) { return 0.03 * y + 0.05 * x + 0.6 * street(x, y); });
  for (Rigid3& pose : world.poses)
    pose.translation.z() = 0.03 * pose.translation.y() + 0.05 * pose.translation.x();
  const DrivableArea area = world.grow();
  EXPECT_NEAR(areaOf(area), 36 * 8, 8);
  EXPECT_FALSE(isDrivable(area, 0, 4.4));
}

TEST(GroundDrivable, IsEmptyWhereThePathIsNotOnTheMap) {
  Street world;
  const GroundSurface ground =
      buildGroundSurface(world.cloud, world.poses, {.extent = MapExtent{-21, 21, -21, 21}});
  const std::vector<Rigid3> elsewhere = {{Quat::Identity(), Vec3(500, 0, 0)}};
  EXPECT_TRUE(growDrivableArea(ground, world.cloud, elsewhere, {}).features.empty());
  EXPECT_TRUE(growDrivableArea({}, world.cloud, elsewhere, {}).features.empty());
}

}  // namespace
}  // namespace gs
