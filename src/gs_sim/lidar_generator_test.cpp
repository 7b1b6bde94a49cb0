// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/lidar_generator.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs_sim/create_sensors.hpp"
#include "gs_sim/lidar_pattern.hpp"
#include "gs_sim/lidar_reflectivity.hpp"

namespace gs_sim {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> kTop{"top"};

// 100 m x 100 m of ground at height 0, and a wall of the mesh at x = 20.
gs::WorldBundle flatWorld(const gs::LidarSpec& spec = {.channels = 16,
                                                       .horizontal_resolution_deg = 1,
                                                       .vertical_fov_deg = {-30, 10},
                                                       .max_range = 60,
                                                       .min_range = 1}) {
  gs::WorldBundle bundle;
  bundle.heightmap = {
      .origin_x = -50, .origin_y = -50, .resolution = 1, .width = 101, .height = 101};
  bundle.heightmap.samples.assign(101 * 101, 0.0f);
  bundle.static_mesh =
      gs::TriangleMesh{.positions = {{20, -50, -1}, {20, 50, -1}, {20, -50, 30}, {20, 50, 30}},
                       .triangles = {{0, 1, 2}, {1, 3, 2}}};
  bundle.calibration.lidars["top"] = {.frame_id = "lidar_top",
                                      .extrinsics = {.translation = {0, 0, 2}},
                                      .spec = spec,
                                      .rate_hz = 10};
  return bundle;
}

SensorParameters::Lidar withMesh() {
  SensorParameters::Lidar parameters;
  parameters.raycast.use_static_mesh = UseMesh::Yes;
  return parameters;
}

LidarScan scanOf(const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters,
                 const EgoState& ego = {}, int64_t step = 0) {
  const auto lidars = createLidarGenerator(bundle, parameters);
  auto outcomes = lidars->generate(kTop, ego, {.step = step, .stamp = {1000}});
  EXPECT_EQ(outcomes.size(), 1u);
  EXPECT_TRUE(outcomes[0].value.has_value()) << outcomes[0].problem;
  return outcomes[0].value.value_or(LidarScan{});
}

double rangeOf(const LidarScan& scan, size_t i) {
  return std::hypot(scan.x[i], scan.y[i], scan.z[i]);
}

TEST(LidarPattern, SpreadsChannelsAndTurnsClockwiseFromBehind) {
  const LidarPattern pattern = makeLidarPattern(
      {.channels = 3, .horizontal_resolution_deg = 90, .vertical_fov_deg = {-20, 10}}, 10, "top");
  constexpr double kDegree = std::numbers::pi / 180;
  EXPECT_THAT(pattern.elevations, testing::ElementsAre(testing::DoubleNear(-20 * kDegree, 1e-12),
                                                       testing::DoubleNear(-5 * kDegree, 1e-12),
                                                       testing::DoubleNear(10 * kDegree, 1e-12)));
  EXPECT_THAT(pattern.azimuths, testing::ElementsAre(testing::DoubleNear(std::numbers::pi, 1e-12),
                                                     testing::DoubleNear(90 * kDegree, 1e-12),
                                                     testing::DoubleNear(0, 1e-12),
                                                     testing::DoubleNear(-90 * kDegree, 1e-12)));
  EXPECT_THAT(pattern.column_times_ns,
              testing::ElementsAre(0u, 25'000'000u, 50'000'000u, 75'000'000u));
}

TEST(LidarPattern, TakesAnyTableAndSortsIt) {
  const LidarPattern pattern = makeLidarPattern(
      {.channels = 3, .horizontal_resolution_deg = 360, .vertical_angles_deg = {4, -8, 0}}, 10,
      "top");
  EXPECT_EQ(pattern.rayCount(), 3u);
  EXPECT_LT(pattern.elevations[0], pattern.elevations[1]);
  EXPECT_DOUBLE_EQ(pattern.elevations[1], 0);
}

TEST(LidarPattern, HeightsGoWithTheirAngles) {
  const LidarPattern pattern = makeLidarPattern({.channels = 3,
                                                 .horizontal_resolution_deg = 360,
                                                 .vertical_angles_deg = {4, -8, 0},
                                                 .vertical_offsets = {{0.2, 0.1, 0.15}}},
                                                10, "top");
  EXPECT_THAT(pattern.heights, testing::ElementsAre(0.1, 0.15, 0.2));
}

TEST(LidarPattern, RefusesTablesThatCannotBeShot) {
  const auto refused = [](const gs::LidarSpec& spec, double rate_hz = 10) {
    try {
      makeLidarPattern(spec, rate_hz, "top");
    } catch (const gs::Error& error) {
      return error.report().code == gs::ErrorCode::InvalidCalibration;
    }
    return false;
  };
  EXPECT_TRUE(refused({.channels = 0}));
  EXPECT_TRUE(refused({.channels = -5}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_angles_deg = {1}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_angles_deg = {1, kNaN}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_fov_deg = {kNaN, 1}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_offsets = {{0, 0}}}));
  EXPECT_TRUE(
      refused({.channels = 2, .vertical_angles_deg = {1, 2}, .vertical_offsets = {{0, kNaN}}}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = 0}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = kNaN}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = 1e-9}));
  EXPECT_TRUE(refused({.channels = 2, .max_range = kNaN}));
  EXPECT_TRUE(refused({.channels = 2, .max_range = 1, .min_range = 2}));
  EXPECT_TRUE(refused({.channels = 2}, 0));
  EXPECT_FALSE(refused({.channels = 2}));
}

TEST(LidarGenerator, MeasuresGroundAndWallFromItsOwnFrame) {
  const gs::WorldBundle bundle = flatWorld();
  const LidarScan scan = scanOf(bundle, withMesh());
  EXPECT_EQ(scan.lidar_id, "top");
  EXPECT_EQ(scan.frame_id, "lidar_top");
  EXPECT_EQ(scan.stamp.ns, 1000);
  size_t on_wall = 0;
  ASSERT_GT(scan.size(), 3000u);
  for (size_t i = 0; i < scan.size(); ++i) {
    const bool is_wall = std::abs(scan.x[i] - 20) < 1e-3;
    on_wall += is_wall;
    ASSERT_TRUE(is_wall || std::abs(scan.z[i] + 2) < 1e-3) << i;
    const double range = rangeOf(scan, i);
    ASSERT_TRUE(range >= 1 && range <= 60);
    ASSERT_TRUE(scan.intensity[i] >= 0 && scan.intensity[i] <= 255);
    ASSERT_EQ(scan.time_offset_ns[i], 0u);
    const double elevation = std::asin(scan.z[i] / range) * 180 / std::numbers::pi;
    ASSERT_NEAR(elevation, -30 + 40.0 * scan.ring[i] / 15, 1e-3);
  }
  EXPECT_GT(on_wall, 300u);
  SensorParameters::Lidar without_mesh;
  without_mesh.raycast.use_static_mesh = UseMesh::No;
  const LidarScan ground_only = scanOf(bundle, without_mesh);
  for (size_t i = 0; i < ground_only.size(); ++i) ASSERT_NEAR(ground_only.z[i], -2, 1e-3);
}

TEST(LidarGenerator, UnevenBeamsBeginWhereTheTableSays) {
  gs::LidarSpec spec{.channels = 3,
                     .horizontal_resolution_deg = 1,
                     .vertical_angles_deg = {-20, -9, -8},
                     .vertical_offsets = {{0.1, 0.1, 0.2}},
                     .max_range = 60,
                     .min_range = 1};
  const LidarScan scan = scanOf(flatWorld(spec), withMesh());
  ASSERT_GT(scan.size(), 900u);
  for (size_t i = 0; i < scan.size(); ++i) {
    ASSERT_TRUE(std::abs(scan.x[i] - 20) < 1e-3 || std::abs(scan.z[i] + 2) < 1e-3) << i;
    const double rise = scan.z[i] - (*spec.vertical_offsets)[scan.ring[i]];
    const double tilt = std::atan2(rise, std::hypot(scan.x[i], scan.y[i]));
    ASSERT_NEAR(tilt * 180 / std::numbers::pi, spec.vertical_angles_deg[scan.ring[i]], 1e-3);
  }
}

TEST(LidarGenerator, IntensitiesKeepTheScaleOfTheLog) {
  const auto usual_of = [](const gs::WorldBundle& bundle) {
    LidarScan scan = scanOf(bundle, withMesh());
    std::sort(scan.intensity.begin(), scan.intensity.end());
    return std::pair(scan.intensity[scan.size() / 2], scan.intensity.back());
  };
  gs::WorldBundle bundle = flatWorld();
  EXPECT_GT(usual_of(bundle).first, 10);  // of 255
  gs::LidarSpec& spec = bundle.calibration.lidars["top"].spec;
  spec.intensity_max = 1;
  EXPECT_LE(usual_of(bundle).second, 1);
  for (const double usual : {0.1, 0.28}) {
    spec.usual_intensity = usual;
    const auto [middle, largest] = usual_of(bundle);
    EXPECT_GT(middle, 0.6 * usual);
    EXPECT_LT(middle, 1.6 * usual);
    EXPECT_LE(largest, 1);
  }
}

TEST(LidarGenerator, MayHaveASingleRay) {
  const gs::WorldBundle bundle = flatWorld({.channels = 1,
                                            .horizontal_resolution_deg = 360,
                                            .vertical_fov_deg = {-45, -45},
                                            .max_range = 60,
                                            .min_range = 1});
  const LidarScan scan = scanOf(bundle, {});
  ASSERT_EQ(scan.size(), 1u);
  EXPECT_NEAR(rangeOf(scan, 0), 2 * std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(scan.x[0], -2, 1e-4);  // backwards
}

TEST(LidarGenerator, SeesWhatIsInReachAndNothingOutsideTheMap) {
  const gs::WorldBundle bundle = flatWorld();
  EgoState far;
  far.pose.x = 1e6;
  EXPECT_EQ(scanOf(bundle, withMesh(), far).size(), 0u);
  far.pose.x = 1e300;
  EXPECT_EQ(scanOf(bundle, withMesh(), far).size(), 0u);
  gs::WorldBundle nothing = bundle;
  nothing.heightmap = {};
  nothing.static_mesh = gs::TriangleMesh{};
  EXPECT_EQ(scanOf(nothing, withMesh()).size(), 0u);
}

TEST(LidarGenerator, SaysWhyThereIsNoScan) {
  const auto lidars = createLidarGenerator(flatWorld(), {});
  EgoState nowhere;
  nowhere.pose.x = kNaN;
  const auto outcomes =
      lidars->generate(std::vector<std::string>{"top", "roof"}, nowhere, StepInfo{});
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_FALSE(outcomes[0].value);
  EXPECT_THAT(outcomes[0].problem, testing::HasSubstr("not finite"));
  EXPECT_THAT(outcomes[1].problem, testing::HasSubstr("roof"));
}

TEST(LidarGenerator, ShootsEachColumnFromWhereTheSensorIsThen) {
  const gs::WorldBundle bundle = flatWorld();
  SensorParameters::Lidar parameters = withMesh();
  parameters.raycast.motion_during_sweep = true;
  EgoState ego;
  ego.twist.vx = 10;
  const LidarScan scan = scanOf(bundle, parameters, ego);
  size_t on_wall = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.z[i] + 2) < 1e-3) continue;
    ++on_wall;
    ASSERT_NEAR(scan.x[i] + 10 * 1e-9 * scan.time_offset_ns[i], 20, 2e-3) << "in the map";
  }
  EXPECT_GT(on_wall, 300u);
  EXPECT_GT(scan.time_offset_ns.back(), 99'000'000u);
}

TEST(LidarGenerator, FollowsTheArcOfATurningVehicle) {
  // Points of the wall, carried into the map by the pose at their time, lie on the wall.
  const gs::WorldBundle bundle = flatWorld();
  SensorParameters::Lidar parameters = withMesh();
  parameters.raycast.motion_during_sweep = true;
  EgoState ego;
  ego.twist = {.vx = 5, .wz = 0.5};
  const LidarScan scan = scanOf(bundle, parameters, ego);
  size_t on_wall = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.z[i] + 2) < 1e-3) continue;
    const double t = 1e-9 * scan.time_offset_ns[i], yaw = 0.5 * t;
    const double x = 5 / 0.5 * std::sin(yaw);  // of a circle with radius 10 m
    ASSERT_NEAR(x + std::cos(yaw) * scan.x[i] - std::sin(yaw) * scan.y[i], 20, 5e-3);
    ++on_wall;
  }
  EXPECT_GT(on_wall, 300u);
}

TEST(LidarGenerator, NoiseHasItsDeviationAndItsSeed) {
  const gs::WorldBundle bundle = flatWorld();
  SensorParameters::Lidar parameters = withMesh();
  const LidarScan exact = scanOf(bundle, parameters);
  parameters.raycast.add_noise = true;
  parameters.raycast.noise_std = 0.05;
  const LidarScan noisy = scanOf(bundle, parameters);
  ASSERT_EQ(noisy.size(), exact.size());
  double square = 0, sum = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    const double error = rangeOf(noisy, i) - rangeOf(exact, i);
    sum += error;
    square += error * error;
  }
  const auto count = static_cast<double>(exact.size());
  EXPECT_NEAR(std::sqrt(square / count), 0.05, 0.003);
  EXPECT_NEAR(sum / count, 0, 0.004);
  EXPECT_EQ(scanOf(bundle, parameters).x, noisy.x) << "the same step again";
  EXPECT_NE(scanOf(bundle, parameters, {}, 1).x, noisy.x);
  parameters.raycast.seed = 2;
  EXPECT_NE(scanOf(bundle, parameters).x, noisy.x);
}

TEST(LidarGenerator, LosesTheShareOfPointsThatItShould) {
  const gs::WorldBundle bundle = flatWorld();
  SensorParameters::Lidar parameters = withMesh();
  const auto all = static_cast<double>(scanOf(bundle, parameters).size());
  parameters.raycast.add_noise = true;
  parameters.raycast.noise_std = 0;
  parameters.raycast.dropout = 0.25;
  EXPECT_NEAR(static_cast<double>(scanOf(bundle, parameters).size()) / all, 0.75, 0.03);
  parameters.raycast.dropout = 1;
  EXPECT_EQ(scanOf(bundle, parameters).size(), 0u);
}

TEST(LidarGenerator, GivesTheSameForAnyNumberOfThreads) {
  const gs::WorldBundle bundle = flatWorld();
  SensorParameters::Lidar parameters = withMesh();
  parameters.raycast.add_noise = true;
  parameters.raycast.dropout = 0.1;
  parameters.raycast.motion_during_sweep = true;
  EgoState ego;
  ego.twist.vx = 10;
  gs::setThreadCount(1);
  const LidarScan one = scanOf(bundle, parameters, ego);
  gs::setThreadCount(8);
  const LidarScan eight = scanOf(bundle, parameters, ego);
  gs::setThreadCount(0);
  EXPECT_EQ(one.x, eight.x);
  EXPECT_EQ(one.z, eight.z);
  EXPECT_EQ(one.intensity, eight.intensity);
  EXPECT_EQ(one.ring, eight.ring);
  EXPECT_EQ(one.time_offset_ns, eight.time_offset_ns);
}

TEST(LidarGenerator, TakesReflectivityFromTheMesh) {
  gs::WorldBundle bundle = flatWorld();
  bundle.static_mesh->colors.assign(4, {9, 9, 9, 255});
  EXPECT_TRUE(meshReflectivity(*bundle.static_mesh).empty()) << "opaque is not a measurement";
  bundle.static_mesh->colors = {{9, 9, 9, 51}, {9, 9, 9, 51}, {9, 9, 9, 51}, {9, 9, 9, 51}};
  const LidarScan scan = scanOf(bundle, withMesh());
  size_t ahead = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.x[i] - 20) > 1e-3) continue;
    const double cosine = 20 / rangeOf(scan, i);
    ASSERT_NEAR(scan.intensity[i], 51 * std::sqrt(cosine), 0.1);
    ++ahead;
  }
  EXPECT_GT(ahead, 300u);
}

TEST(LidarReflectivity, TheGroundTakesThatOfTheMeshOnIt) {
  gs::WorldBundle bundle = flatWorld();
  // On the ground 51 (0.2), half a metre above it 204 (0.8).
  bundle.static_mesh = gs::TriangleMesh{};
  for (int i = 0; i < 41 * 41; ++i)
    for (const float z : {0.02f, 0.5f}) {
      bundle.static_mesh->positions.push_back(
          {0.5f * static_cast<float>(i % 41), 0.5f * static_cast<float>(i / 41), z});
      bundle.static_mesh->colors.push_back({9, 9, 9, static_cast<uint8_t>(z < 0.1f ? 51 : 204)});
    }
  bundle.static_mesh->triangles = {{1, 3, 83}};
  const SurfaceReflectivity known(*bundle.static_mesh, &bundle.heightmap);
  EXPECT_NEAR(known.ofGround(7.3, 4.4).value(), 0.2, 1e-6);
  EXPECT_FALSE(known.ofGround(-30, -30)) << "no mesh there";
  EXPECT_FALSE(known.ofGround(kNaN, 0));
  EXPECT_NEAR(known.ofMesh(0, 0.3f, 0.3f).value(), 0.8, 1e-6);
  EXPECT_FALSE(SurfaceReflectivity().ofMesh(0, 0, 0));
}

TEST(LidarGenerator, AMeshThatIsAskedForAndMissingIsAWarning) {
  WorldData world{"wall", flatWorld(), {}};
  SensorParameters parameters;
  parameters.camera.enable = false;
  parameters.lidar = withMesh();
  EXPECT_TRUE(createSensors(world, parameters).warnings.empty());
  world.bundle.static_mesh.reset();
  EXPECT_THAT(createSensors(world, parameters).warnings,
              testing::ElementsAre(testing::HasSubstr("use_static_mesh")));
  parameters.lidar.raycast.use_static_mesh = UseMesh::Auto;
  EXPECT_TRUE(createSensors(world, parameters).warnings.empty());
}

// The rule calibration.lidar_points warns of it when the world is read; once is enough.
TEST(LidarGenerator, DoesNotWarnAgainOfScansThatReceiversMayNotExpect) {
  WorldData world{"wall", flatWorld(), {}};
  world.bundle.calibration.lidars["top"].spec = {.channels = 128, .horizontal_resolution_deg = 0.2};
  SensorParameters parameters;
  parameters.camera.enable = false;
  EXPECT_TRUE(createSensors(world, parameters).warnings.empty());
}

}  // namespace
}  // namespace gs_sim
