// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/ground_surface.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/geometry/testing/plane_cloud.hpp"

namespace gs {
namespace {

std::vector<Rigid3> driveAlongX(double from, double to, double z = 0) {
  std::vector<Rigid3> poses;
  for (double x = from; x <= to; x += 0.25) poses.push_back({Quat::Identity(), Vec3(x, 0, z)});
  return poses;
}

ErrorCode codeOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.report().code;
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::UsageError;
}

// A road with a kerb of 12 cm at y = 3 and a slope of 5 % along x.
double road(double x, double y) { return 0.05 * x + (y > 3 ? 0.12 : 0.0); }

TEST(GroundSurface, FollowsSlopeAndKeepsTheKerb) {
  const MapCloud cloud = cloudOver(8, 0.07, road);
  const GroundSurface ground =
      buildGroundSurface(cloud, driveAlongX(-6, 6), {.extent = MapExtent{-6, 6, -6, 6}});
  for (double x = -5; x <= 5; x += 0.31)
    for (const double y : {-4.0, 0.0, 2.7, 3.3, 5.0})
      EXPECT_NEAR(heightAt(ground.heights, x, y), road(x, y), 0.015) << x << " " << y;
  EXPECT_EQ(ground.bridged_cells + ground.seen_cells, ground.heights.samples.size());
}

TEST(GroundSurface, IsNeitherLiftedByThingsNorLoweredByStrayPoints) {
  MapCloud cloud = cloudOver(8, 0.07, road);
  const Vec3 up = Vec3::UnitZ();
  for (double x = 0; x < 4; x += 0.1)
    for (double y = -2.5; y < -0.8; y += 0.1) {
      addPoint(cloud, {x, y, road(x, y) + 1.4}, up);  // roof of a car
      addPoint(cloud, {x, y, road(x, y) + 4.0}, up);  // crown of a tree
    }
  for (double z = 0.25; z < 1.4; z += 0.1)
    for (double x = 0; x < 4; x += 0.1) addPoint(cloud, {x, -0.8, road(x, 0) + z}, Vec3::UnitY());
  for (double x = -5; x < 5; x += 0.5) addPoint(cloud, {x, 1, road(x, 1) - 0.9}, up, 1);
  for (double x = -5; x < 5; x += 0.5) addPoint(cloud, {x, 2, road(x, 2) - 0.15}, up, 1);
  const GroundSurface ground =
      buildGroundSurface(cloud, driveAlongX(-6, 6), {.extent = MapExtent{-6, 6, -6, 6}});
  for (double x = -5; x <= 5; x += 0.23)
    for (const double y : {-3.0, -1.5, -0.8, 0.0, 1.0, 2.0})
      EXPECT_NEAR(heightAt(ground.heights, x, y), road(x, y), 0.03) << x << " " << y;
}

// A car stood there all the time: no ground below it, 2 m wide or 6 m wide.
GroundSurface groundWithHole(double width) {
  MapCloud whole = cloudOver(9, 0.07, [](double x, double) { return 0.02 * x; }), cloud = whole;
  cloud.positions.clear();
  cloud.normals.clear();
  cloud.spacing.clear();
  cloud.reflectivity.clear();
  cloud.hits.clear();
  cloud.nearest_range.clear();
  for (size_t i = 0; i < whole.size(); ++i) {
    const Vec3 p = whole.positionInMap(i);
    if (std::abs(p.x()) < 3 && p.y() > 1 && p.y() < 1 + width) continue;
    addPoint(cloud, p, whole.normals[i].cast<double>());
  }
  return buildGroundSurface(cloud, driveAlongX(-6, 6),
                            {.extent = MapExtent{-8, 8, -8, 8}, .max_hole = 4});
}

TEST(GroundSurface, BridgesHolesUpToTheConfiguredSizeOnly) {
  const GroundSurface narrow = groundWithHole(2), wide = groundWithHole(5.5);
  EXPECT_NEAR(heightAt(narrow.heights, 1, 2), 0.02, 0.01);
  EXPECT_GT(narrow.bridged_cells, 500u);
  EXPECT_TRUE(std::isnan(heightAt(wide.heights, 0, 3.75)));
}

TEST(GroundSurface, DoesNotJumpToALevelThatNothingConnects) {
  // A bridge deck 5 m above, and a car park 2 m below behind a wall.
  MapCloud cloud = cloudOver(6, 0.08, [](double, double y) { return y < -3 ? -2.0 : 0.0; });
  for (double x = -2; x < 2; x += 0.08)
    for (double y = -2; y < 2; y += 0.08) addPoint(cloud, {x, y, 5}, Vec3::UnitZ());
  const GroundSurface ground = buildGroundSurface(
      cloud, driveAlongX(-5, 5), {.extent = MapExtent{-6, 6, -6, 6}, .max_hole = 1});
  EXPECT_NEAR(heightAt(ground.heights, 0, 0), 0, 0.01);
  EXPECT_TRUE(std::isnan(heightAt(ground.heights, 0, -5)));
}

TEST(GroundSurface, WorksFarFromTheOriginOfTheMap) {
  const Vec3 far(1e6, -2e6, 300);
  const MapCloud cloud = cloudOver(
      6, 0.08, [](double x, double) { return 0.03 * x; }, far);
  std::vector<Rigid3> poses = driveAlongX(-4, 4);
  for (Rigid3& pose : poses) pose.translation += far;
  const GroundSurface ground = buildGroundSurface(cloud, poses, {.margin = 3});
  EXPECT_NEAR(heightAt(ground.heights, far.x() + 2, far.y()), 300.06, 0.01);
}

TEST(GroundSurface, FindsTheGroundBelowAStandingCar) {
  const MapCloud cloud = cloudOver(6, 0.08, [](double, double) { return -0.4; });
  const GroundSurface ground = buildGroundSurface(cloud, std::vector<Rigid3>(200), {.margin = 4});
  EXPECT_NEAR(heightAt(ground.heights, 3, 3), -0.4, 0.01);
}

TEST(GroundSurface, RefusesWhatMakesNoSense) {
  const MapCloud cloud = cloudOver(3, 0.1, [](double, double) { return 0.0; });
  const std::vector<Rigid3> poses(3);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto build = [&](const GroundOptions& options) {
    return codeOf([&] { buildGroundSurface(cloud, poses, options); });
  };
  EXPECT_EQ(build({.extent = MapExtent{0, 0, 0, 5}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.extent = MapExtent{5, 0, 0, 5}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.extent = MapExtent{kNan, 1, 0, 5}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.extent = MapExtent{-1e5, 1e5, -1e5, 1e5}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.extent = MapExtent{-1e300, 1e300, 0, 1}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.extent = MapExtent{100, 105, 100, 105}}), ErrorCode::HeightmapInvalid);
  EXPECT_EQ(build({.resolution = 0}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(build({.resolution = kNan}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(build({.median_kernel = 4}), ErrorCode::ConfigInvalid);
  EXPECT_EQ(codeOf([&] { buildGroundSurface({}, poses, {}); }), ErrorCode::PointcloudEmpty);
  EXPECT_EQ(codeOf([&] { buildGroundSurface(cloud, {}, {}); }), ErrorCode::InsufficientData);
  EXPECT_EQ(codeOf([&] {
              buildGroundSurface(cloud, {{Quat::Identity(), Vec3(kNan, 0, 0)}}, {});
            }),
            ErrorCode::InputInvalid);
}

TEST(SampleMesh, GivesTheGroundOfAMeshWithoutItsRoof) {
  TriangleMesh mesh;
  const auto square = [&](float z, float half) {
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(),
                          {{-half, -half, z}, {half, -half, z}, {half, half, z}, {-half, half, z}});
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  };
  square(0.2f, 8);
  square(3.0f, 2);
  const MapCloud cloud = sampleMesh(mesh, 0.1);
  const GroundSurface ground = buildGroundSurface(cloud, driveAlongX(-4, 4), {.margin = 2});
  EXPECT_NEAR(heightAt(ground.heights, 0, 0), 0.2, 1e-3);
  EXPECT_EQ(sampleMesh({}, 0.1).size(), 0u);
}

}  // namespace
}  // namespace gs
