// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town_bundle.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gs/bundle/spatial_extent.hpp"
#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/version.hpp"
#include "gs/synthetic/town.hpp"
#include "gs/synthetic/town_splats.hpp"

namespace gs {
namespace {

constexpr double kSpeed = 5;        // m/s round the block
constexpr double kSensorRate = 10;  // Hz
constexpr double kDegree = std::numbers::pi / 180;

std::array<double, 4> xyzwOf(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

Calibration sensorsOf(const TownBundleOptions& options) {
  struct Mount {
    const char* id;
    std::array<double, 3> translation;
    double yaw_deg;
  };
  constexpr Mount kCameras[] = {{"front", {2.0, 0.0, 1.5}, 0},
                                {"left", {1.0, 0.8, 1.5}, 70},
                                {"right", {1.0, -0.8, 1.5}, -70},
                                {"rear", {-0.8, 0.0, 1.5}, 180}};
  constexpr Mount kLidars[] = {{"top", {0.9, 0.0, 2.0}, 0}, {"front", {3.6, 0.0, 0.6}, 0}};
  GS_CHECK(options.cameras <= 4);
  GS_CHECK(options.lidars <= 2);
  const Quat body_from_camera(0.5, -0.5, 0.5, -0.5);  // z forward, x right, y down
  Calibration calibration;
  for (int i = 0; i < options.cameras; ++i) {
    const auto& [id, translation, yaw_deg] = kCameras[i];
    const Quat turned = fromRollPitchYaw(0, 0, yaw_deg * kDegree) * body_from_camera;
    calibration.cameras[id] = {
        .frame_id = std::string("camera_") + id,
        .image_width = 640,
        .image_height = 480,
        .intrinsics = {.fx = 400, .fy = 400, .cx = 319.5, .cy = 239.5},
        .extrinsics = {.translation = translation, .rotation_quat = xyzwOf(turned.normalized())},
        .rate_hz = kSensorRate};
  }
  for (int i = 0; i < options.lidars; ++i)
    calibration.lidars[kLidars[i].id] = {
        .frame_id = std::string("lidar_") + kLidars[i].id,
        .extrinsics = {.translation = kLidars[i].translation},
        .spec = {.model = fmt::format("generic_{}", options.channels),
                 .channels = options.channels,
                 .horizontal_resolution_deg = options.horizontal_resolution_deg,
                 .vertical_fov_deg = {-25, 15},
                 .max_range = 120,
                 .min_range = 0.5},
        .rate_hz = kSensorRate};
  return calibration;
}

// Square samples over the whole map, so that one resolution fits both axes.
Heightmap groundOf(const Town& town, int side) {
  const auto low = town.mapMin(), high = town.mapMax();
  Heightmap map{.origin_x = low[0],
                .origin_y = low[1],
                .resolution = std::max(high[0] - low[0], high[1] - low[1]) / (side - 1),
                .width = side,
                .height = side};
  const auto columns = static_cast<size_t>(side);
  map.samples.resize(columns * columns);
  parallelFor(columns, 1, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (size_t col = 0; col < columns; ++col)
        map.samples[row * columns + col] = static_cast<float>(
            town.groundHeight(map.origin_x + static_cast<double>(col) * map.resolution,
                              map.origin_y + static_cast<double>(row) * map.resolution));
  });
  return map;
}

std::string trajectoryOf(const Town& town) {
  std::string csv = "timestamp,x,y\n";
  double along = 0;
  for (size_t i = 0; i < town.route().size(); ++i) {
    const auto& [x, y] = town.route()[i];
    if (i > 0) along += std::hypot(x - town.route()[i - 1][0], y - town.route()[i - 1][1]);
    csv += fmt::format("{:.3f},{:.4f},{:.4f}\n", along / kSpeed, x, y);
  }
  return csv;
}

}  // namespace

TownBundleOptions optionsOf(TownBundleKind kind) {
  switch (kind) {
    case TownBundleKind::Benchmark:
      return {.scene_id = "benchmark_world", .splats = 100'000, .sh_degree = 1};
    case TownBundleKind::Standard:
      return {.scene_id = "standard_bundle", .splats = 1'000'000, .cameras = 3, .channels = 128};
    case TownBundleKind::Largest: break;
  }
  return {.scene_id = "largest_bundle",
          .splats = 5'000'000,
          .cameras = 4,
          .lidars = 2,
          .channels = 128,
          .heightmap_side = 4096};
}

TownBundle makeTownBundle(const TownBundleOptions& options) {
  const Town town = Town::make({.has_moving_objects = false});
  WorldBundle bundle;
  bundle.index.scene_id = options.scene_id;
  bundle.gaussians =
      makeTownSplats(town, {.count = options.splats, .sh_degree = options.sh_degree});
  bundle.render_config.sh_degree = options.sh_degree;
  bundle.index.gaussians.sky = "gaussians/sky.png";
  bundle.sky = makeTownSky(256);
  bundle.heightmap = groundOf(town, options.heightmap_side);
  bundle.drivable = town.drivable();
  bundle.index.geometry.static_mesh = "geometry/static_mesh.glb";
  bundle.static_mesh = town.staticMesh();
  bundle.calibration = sensorsOf(options);
  bundle.tf_static =
      deriveStaticTransforms(bundle.calibration, bundle.metadata.coordinate_system.base_link_frame);
  bundle.index.sim.trajectory = "sim/trajectory.csv";
  bundle.timebase.sensor_rates.camera = bundle.timebase.sensor_rates.lidar = kSensorRate;
  const auto &here = town.route()[0], &next = town.route()[1];
  const double yaw = std::atan2(next[1] - here[1], next[0] - here[0]);
  bundle.timebase.initial_pose.position = {here[0], here[1], town.groundHeight(here[0], here[1])};
  bundle.timebase.initial_pose.orientation = xyzwOf(fromRollPitchYaw(0, 0, yaw).normalized());

  Metadata& metadata = bundle.metadata;
  metadata.scene_id = options.scene_id;
  metadata.created_at = "2026-02-14T10:30:00Z";  // fixed: the same world every time
  metadata.builder_version = "gs_world_builder-" + std::string(buildVersion());
  metadata.source = {.type = "synthetic", .file = "gs-make-test-data"};
  metadata.spatial_extent = extentOf(bundle);
  for (const auto& [id, camera] : bundle.calibration.cameras)
    metadata.sensors.cameras.push_back(id);
  for (const auto& [id, lidar] : bundle.calibration.lidars) metadata.sensors.lidars.push_back(id);
  metadata.processing_info.drivesim_commit = "native-" + std::string(buildVersion());
  return {std::move(bundle), trajectoryOf(town)};
}

}  // namespace gs
