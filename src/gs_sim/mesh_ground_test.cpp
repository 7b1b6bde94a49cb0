// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/mesh_ground.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

void addQuad(gs::TriangleMesh& mesh, const std::array<std::array<float, 3>, 4>& corners) {
  const auto first = static_cast<uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

// Of the minimal world, whose road runs along x at height 0: a bridge of 8 m width along y over
// (50, 0), 5 m high between its ramps of 20 %, with a railing on its left side.
gs::TriangleMesh bridge() {
  gs::TriangleMesh mesh;
  const auto slab = [&](float y0, float z0, float y1, float z1) {
    addQuad(mesh, {{{46, y0, z0}, {54, y0, z0}, {54, y1, z1}, {46, y1, z1}}});
  };
  slab(-35, 0, -10, 5);
  slab(-10, 5, 10, 5);
  slab(10, 5, 35, 0);
  addQuad(mesh, {{{46, -10, 5}, {46, 10, 5}, {46, 10, 6}, {46, -10, 6}}});
  return mesh;
}

std::shared_ptr<const gs::Heightmap> flatMap() {
  return std::make_shared<gs::Heightmap>(gs::makeMinimalBundle().heightmap);
}

std::shared_ptr<WorldData> worldWith(gs::TriangleMesh mesh) {
  auto world = std::make_shared<WorldData>(WorldData{"bridge", gs::makeMinimalBundle(), {}});
  world->bundle.index.geometry.static_mesh = "geometry/static_mesh.glb";
  world->bundle.static_mesh = std::move(mesh);
  return world;
}

SimulationParameters startingAt(const LoopParameters::InitialPose& pose, GroundSource source) {
  SimulationParameters parameters;
  parameters.ground.source = source;
  parameters.simulation.initial_pose = pose;
  parameters.simulation.initial_velocity = 10;
  return parameters;
}

TEST(MeshGround, OfSeveralHeightsTheOneOfTheOwnLevelCounts) {
  const auto ground = createMeshGroundContact(bridge(), flatMap());
  EXPECT_EQ(ground->getGroundHeight(50, 0, {.z = 0.2}), 0);
  EXPECT_EQ(ground->getGroundHeight(50, 0, {.z = 4.8}), 5);
  EXPECT_EQ(ground->getGroundHeight(50, 0, {.z = 5.9}), 5);
  EXPECT_TRUE(std::isnan(ground->getGroundHeight(50, 0, {.z = 3})));  // in the air
  EXPECT_EQ(ground->getGroundHeight(50, 0), 5);                       // from above
  EXPECT_EQ(ground->nearestGroundHeight(50, 0, 2), 0);
  EXPECT_EQ(ground->nearestGroundHeight(50, 0, 100), 5);
  EXPECT_NEAR(ground->getGroundHeight(50, -15, {.y = -20, .z = 3, .slope_y = 0.2}), 4, 1e-9);
}

TEST(MeshGround, WallsAreNoGroundAndSlopesAre) {
  const auto ground = createMeshGroundContact(bridge(), flatMap());
  EXPECT_EQ(ground->getGroundHeight(46, 0, {.z = 5}), 5);  // beneath the railing
  EXPECT_NEAR(ground->getGroundHeight(52, -22.5, {.z = 2.4}), 2.5, 1e-6);
}

TEST(MeshGround, KnowsNothingWhereNeitherMapNorMeshIs) {
  gs::Heightmap map = *flatMap();
  for (float& sample : map.samples) sample = kHole;
  const auto ground =
      createMeshGroundContact(bridge(), std::make_shared<const gs::Heightmap>(std::move(map)));
  EXPECT_EQ(ground->getGroundHeight(50, 0), 5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [x, y] : {std::pair(60.0, 0.0), {1e30, 0.0}, {nan, 0.0}, {50.0, nan}}) {
    EXPECT_TRUE(std::isnan(ground->getGroundHeight(x, y)));
    EXPECT_TRUE(std::isnan(ground->getGroundHeight(x, y, {})));
    EXPECT_TRUE(std::isnan(ground->nearestGroundHeight(x, y, 0)));
  }
}

TEST(MeshGround, DamagedAndHugeTrianglesDoNoHarm) {
  gs::TriangleMesh mesh = bridge();
  mesh.triangles.push_back({0, 1, 4'000'000'000});
  mesh.positions.push_back({kHole, 0, 0});
  mesh.triangles.push_back({0, 1, static_cast<uint32_t>(mesh.positions.size() - 1)});
  mesh.triangles.push_back({0, 0, 1});
  for (int i = 0; i < 200; ++i)
    addQuad(mesh, {{{-1e6F, -1e6F, -9}, {1e6F, -1e6F, -9}, {1e6F, 1e6F, -9}, {-1e6F, 1e6F, -9}}});
  const auto ground = createMeshGroundContact(mesh, flatMap());
  EXPECT_EQ(ground->getGroundHeight(50, 0, {.z = 5}), 5);
  EXPECT_EQ(ground->getGroundHeight(50, 0, {.z = -9}), -9);
  EXPECT_TRUE(std::isnan(createMeshGroundContact({}, flatMap())->getGroundHeight(1e5, 0)));
}

TEST(GroundSource, UnderABridgeAVehicleStaysOnTheRoadAndOverItOnTheBridge) {
  const auto world = worldWith(bridge());
  const auto highest = [&](const SimulationParameters& parameters) {
    Simulator simulator(world, parameters);
    double most = -100;
    for (int i = 0; i < 800; ++i)
      most = std::max(most, simulator.step(ControlInput{.speed = 10}).ego.pose.z);
    return most;
  };
  EXPECT_EQ(highest(startingAt({.x = 20}, GroundSource::Mesh)), 0);
  const LoopParameters::InitialPose before_ramp{.x = 50, .y = -45, .yaw = M_PI / 2};
  EXPECT_NEAR(highest(startingAt(before_ramp, GroundSource::Mesh)), 5, 1e-6);
  EXPECT_EQ(highest(startingAt(before_ramp, GroundSource::Auto)), 0);
  EXPECT_EQ(highest(startingAt(before_ramp, GroundSource::Heightmap)), 0);
}

TEST(GroundSource, AVehicleIsPutOnTheLevelNearestToItsPose) {
  Simulator simulator(worldWith(bridge()), startingAt({.x = 50, .z = 4}, GroundSource::Mesh));
  EXPECT_NEAR(simulator.step().ego.pose.z, 5, 1e-6);
  EgoPose below;
  below.x = 50;
  below.z = 1;
  ASSERT_TRUE(simulator.setEgoPose(below, {}).success);
  EXPECT_EQ(simulator.current().ego.pose.z, 0);
  // On the ramp it stands as the ramp does, although the pose says level.
  EgoPose on_ramp;
  on_ramp.x = 50;
  on_ramp.y = -22.5;
  on_ramp.z = 2.5;
  on_ramp.qz = on_ramp.qw = std::sqrt(0.5);
  ASSERT_TRUE(simulator.setEgoPose(on_ramp, {}).success);
  const gs::Vec3 ahead = mapFromBase(simulator.current().ego.pose).rotation * gs::Vec3::UnitX();
  EXPECT_NEAR(ahead.z() / std::hypot(ahead.x(), ahead.y()), 0.2, 1e-3);
}

TEST(GroundSource, BehindTheEndOfABridgeTheGroundIsUnknown) {
  gs::TriangleMesh deck;
  addQuad(deck, {{{46, -10, 5}, {54, -10, 5}, {54, 10, 5}, {46, 10, 5}}});
  Simulator simulator(worldWith(deck),
                      startingAt({.x = 50, .y = -5, .z = 5, .yaw = M_PI / 2}, GroundSource::Mesh));
  StepOutput output;
  std::vector<std::string> warnings;
  for (int i = 0; i < 200; ++i) {
    output = simulator.step(ControlInput{.speed = 10});
    if (output.status)
      warnings.insert(warnings.end(), output.status->warnings.begin(),
                      output.status->warnings.end());
  }
  EXPECT_GT(output.ego.pose.y, 10);
  EXPECT_EQ(output.ego.pose.z, 5);  // as over a hole of the heightmap
  EXPECT_THAT(warnings, ::testing::Contains(::testing::HasSubstr("no ground known")));
}

TEST(GroundSource, AMeshThatTheWorldDoesNotHaveIsRefused) {
  const auto world = std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
  try {
    Simulator(world, startingAt({}, GroundSource::Mesh));
    FAIL() << "not refused";
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::ConfigInvalid);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("ground.source"));
  }
}

}  // namespace
}  // namespace gs_sim
