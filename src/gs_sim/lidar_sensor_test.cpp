// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/lidar_sensor.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs_sim/sensor_kinds.hpp"

namespace gs_sim {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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

SimulationParameters onlyLidars(const SensorParameters::Lidar& lidar = {}) {
  SimulationParameters parameters;
  parameters.sensors.camera.choice.enable = false;
  parameters.sensors.lidar = lidar;
  return parameters;
}

LidarScan scanOf(const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters,
                 const EgoState& ego = {}, int64_t step = 0) {
  const auto [lidars, warnings] = createSensors({"flat", bundle, {}}, onlyLidars(parameters));
  EXPECT_EQ(lidars.size(), 1u);
  const StepInfo info{.step = step, .stamp = {1000}};
  const SensorResult result = lidars.at(0)->sample({info, ego, {}});
  EXPECT_EQ(result.problem, "");
  const LidarScan* scan = findValue<LidarScan>(result.data.get());
  return scan == nullptr ? LidarScan{} : *scan;
}

double rangeOf(const LidarScan& scan, size_t i) {
  return std::hypot(scan.x[i], scan.y[i], scan.z[i]);
}

TEST(LidarSensor, MeasuresGroundAndWallFromItsOwnFrame) {
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

TEST(LidarSensor, ACloudOfAnImpossibleSizeIsRefusedByName) {
  LidarScan scan{.lidar_id = "top",
                 .x = {1, 2},
                 .y = {1, 2},
                 .z = {1, 2},
                 .intensity = {1, 2},
                 .ring = {1, 2},
                 .time_offset_ns = {1, 2}};
  EXPECT_EQ(problemWithSize(scan, 2), "");
  EXPECT_THAT(problemWithSize(scan, 1),
              testing::StartsWith("INVALID_POINTCLOUD_SIZE: LiDAR 'top'"));
  scan.ring.pop_back();
  EXPECT_THAT(problemWithSize(scan, 2),
              testing::StartsWith("INVALID_POINTCLOUD_SIZE: LiDAR 'top'"));
}

TEST(LidarSensor, GivesAnEmptyCloudWhereThereIsNoScanAndSaysWhy) {
  const auto [lidars, warnings] = createSensors({"flat", flatWorld(), {}}, onlyLidars());
  EgoState nowhere;
  nowhere.pose.x = kNaN;
  const StepInfo info{.stamp = {5}};
  const SensorResult result = lidars.at(0)->sample({info, nowhere, {}});
  EXPECT_THAT(result.problem, testing::HasSubstr("not finite"));
  const LidarScan* scan = findValue<LidarScan>(result.data.get());
  ASSERT_NE(scan, nullptr);
  EXPECT_EQ(scan->size(), 0u);
  EXPECT_EQ(scan->frame_id, "lidar_top");
  EXPECT_EQ(scan->stamp, info.stamp);
}

TEST(LidarSensor, ShootsEachColumnFromWhereTheSensorIsThen) {
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

TEST(LidarSensor, NoiseHasItsDeviationAndItsSeed) {
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

TEST(LidarSensor, AMeshThatIsAskedForAndMissingIsAWarning) {
  WorldData world{"wall", flatWorld(), {}};
  SimulationParameters parameters = onlyLidars(withMesh());
  EXPECT_TRUE(createSensors(world, parameters).warnings.empty());
  world.bundle.static_mesh.reset();
  EXPECT_THAT(createSensors(world, parameters).warnings,
              testing::ElementsAre(testing::HasSubstr("use_static_mesh")));
  parameters.sensors.lidar.raycast.use_static_mesh = UseMesh::Auto;
  EXPECT_TRUE(createSensors(world, parameters).warnings.empty());
}

// The rule calibration.lidar_points warns of it when the world is read; once is enough.
TEST(LidarSensor, DoesNotWarnAgainOfScansThatReceiversMayNotExpect) {
  WorldData world{"wall", flatWorld(), {}};
  world.bundle.calibration.lidars["top"].spec = {.channels = 128, .horizontal_resolution_deg = 0.2};
  EXPECT_TRUE(createSensors(world, onlyLidars()).warnings.empty());
}

}  // namespace
}  // namespace gs_sim
