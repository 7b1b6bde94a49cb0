// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/random_bundle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/formats/glb.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace gs {
namespace {

constexpr float kNoGround = std::numeric_limits<float>::quiet_NaN();

int between(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.below(static_cast<uint64_t>(high - low + 1)));
}

float randomFloat(Rng& rng) { return static_cast<float>(rng.normal() * std::exp(rng.normal())); }

std::array<double, 4> randomRotation(Rng& rng) {
  Quat q(rng.normal(), rng.normal(), rng.normal(), rng.normal());
  return toXyzw(q.normalized());
}

GaussianCloud randomCloud(Rng& rng) {
  GaussianCloud cloud;
  cloud.sh_degree = between(rng, 0, kMaxShDegree);
  cloud.resize(static_cast<size_t>(between(rng, 1, 300)));
  for (size_t i = 0; i < cloud.size(); ++i) {
    const auto q = randomRotation(rng);
    for (size_t k = 0; k < 4; ++k) cloud.rotation[k][i] = static_cast<float>(q[k]);
    for (size_t k = 0; k < 3; ++k) {
      cloud.position[k][i] = randomFloat(rng) * 50;
      cloud.log_scale[k][i] = randomFloat(rng);
      cloud.sh_dc[k][i] = randomFloat(rng);
    }
    cloud.logit_opacity[i] = randomFloat(rng);
  }
  for (float& value : cloud.sh_rest) value = randomFloat(rng);
  return cloud;
}

Heightmap randomHeightmap(Rng& rng) {
  Heightmap map{.origin_x = rng.uniform(-90, 90),
                .origin_y = rng.uniform(-90, 90),
                .resolution = rng.uniform(0.05, 2),
                .width = between(rng, 1, 40),
                .height = between(rng, 1, 40)};
  map.samples.resize(static_cast<size_t>(map.width) * map.height);
  for (float& h : map.samples) h = rng.below(4) == 0 ? kNoGround : randomFloat(rng);
  map.samples.front() = 0.25f;  // at least one is known
  return map;
}

// A star around a centre: never crosses itself, runs counter-clockwise.
Ring randomRing(Rng& rng, double x, double y, double radius) {
  Ring ring;
  const int corners = between(rng, 3, 12);
  for (int i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * (i + 0.4 * rng.uniform()) / corners;
    const double r = radius * rng.uniform(0.7, 1.0);
    ring.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
  }
  ring.push_back(ring.front());
  return ring;
}

DrivableArea randomArea(Rng& rng) {
  DrivableArea area;
  for (int f = between(rng, 0, 3); f > 0; --f) {
    DrivableFeature feature{.priority = between(rng, -3, 9)};
    if (rng.below(2) == 0) feature.speed_limit = rng.uniform(5, 130);
    feature.is_multi = rng.below(2) == 0;
    for (int p = feature.is_multi ? between(rng, 1, 3) : 1; p > 0; --p) {
      const double x = 100.0 * p + rng.uniform(-9, 9), y = rng.uniform(-99, 99);
      Polygon polygon{.outer = randomRing(rng, x, y, 30)};
      if (rng.below(2) == 0) {
        Ring hole = randomRing(rng, x, y, 3);  // well inside: the outer radius is at least 10
        std::reverse(hole.begin(), hole.end());
        polygon.holes.push_back(hole);
      }
      feature.polygons.push_back(polygon);
    }
    area.features.push_back(feature);
  }
  return area;
}

TriangleMesh randomMesh(Rng& rng) {
  TriangleMesh mesh;
  mesh.positions.resize(static_cast<size_t>(between(rng, 3, 60)));
  for (auto& p : mesh.positions)
    for (float& value : p) value = randomFloat(rng) * 20;
  mesh.triangles.resize(static_cast<size_t>(between(rng, 1, 90)));
  for (auto& triangle : mesh.triangles)
    for (uint32_t& index : triangle)
      index = static_cast<uint32_t>(rng.below(mesh.positions.size()));
  // As a bundle keeps it: compactly, so that it comes back as it was.
  return decodeGlb(asBytes(encodeCompactGlb(mesh)), "random mesh");
}

Extrinsics randomExtrinsics(Rng& rng) {
  return {.translation = {rng.normal(), rng.normal(), rng.normal()},
          .rotation_quat = randomRotation(rng)};
}

Calibration randomCalibration(Rng& rng) {
  Calibration calibration;
  for (const char* id : {"front", "left", "rear_right"}) {
    if (rng.below(3) == 0) continue;
    CameraCalibration camera{.frame_id = std::string("camera_") + id,
                             .image_width = between(rng, 1, 4000),
                             .image_height = between(rng, 1, 3000),
                             .extrinsics = randomExtrinsics(rng),
                             .rate_hz = rng.uniform(1, 60)};
    if (rng.below(2) == 0) camera.camera_convention = CameraConvention::Ros;
    camera.intrinsics = {
        .fx = rng.uniform(1, 3000), .fy = rng.uniform(1, 3000), .k1 = rng.normal()};
    if (rng.below(2) == 0) {
      camera.intrinsics.model = CameraModel::Fisheye;
      camera.intrinsics.distortion_model = DistortionModel::Equidistant;
      camera.intrinsics.k3 = rng.normal();
    }
    calibration.cameras[id] = camera;
  }
  LidarSpec spec{.channels = between(rng, 1, 128),
                 .horizontal_resolution_deg = rng.uniform(0.1, 2),
                 .max_range = rng.uniform(50, 300)};
  if (rng.below(2) == 0)
    for (int i = 0; i < spec.channels; ++i)
      spec.vertical_angles_deg.push_back(rng.uniform(-25, 15));
  if (rng.below(3) == 0) spec.pattern = "sensors/rays_top.csv";
  calibration.lidars["top"] = {.frame_id = "lidar_top",
                               .extrinsics = randomExtrinsics(rng),
                               .spec = spec,
                               .rate_hz = rng.uniform(1, 40)};
  return calibration;
}

LidarRayTable randomRays(Rng& rng, double period) {
  LidarRayTable table;
  double time = 0;
  for (int i = between(rng, 1, 300); i > 0; --i) {
    table.rows.push_back({rng.uniform(-360, 360), rng.uniform(-90, 90), time,
                          static_cast<uint16_t>(rng.below(65536))});
    time += rng.uniform(0, period / 300);
  }
  return table;
}

std::array<double, 3> randomBias(Rng& rng) { return {rng.normal(), rng.normal(), rng.normal()}; }

// Sensors that a world may lack.
void addRandomExtras(Rng& rng, bool has_origin, Calibration& calibration) {
  if (rng.below(2) == 0)
    calibration.imus["main"] = {.frame_id = "imu_main",
                                .extrinsics = randomExtrinsics(rng),
                                .spec = {.gyro_noise_density = rng.uniform(),
                                         .gyro_random_walk = rng.uniform(),
                                         .gyro_bias = randomBias(rng),
                                         .accel_noise_density = rng.uniform(),
                                         .accel_random_walk = rng.uniform(),
                                         .accel_bias = randomBias(rng)},
                                .rate_hz = rng.uniform(50, 400)};
  if (has_origin && rng.below(2) == 0) {
    GnssSpec spec{.horizontal_std = rng.uniform(0, 5), .vertical_std = rng.uniform(0, 9)};
    for (int i = between(rng, 0, 3); i > 0; --i) {
      const double x = rng.uniform(-90, 90), y = rng.uniform(-90, 90);
      spec.outages.push_back({x, y, x + rng.uniform(0, 50), y + rng.uniform(0, 50)});
    }
    calibration.gnss["roof"] = {.frame_id = "gnss_roof",
                                .extrinsics = randomExtrinsics(rng),
                                .spec = spec,
                                .rate_hz = rng.uniform(1, 20)};
  }
  if (rng.below(2) == 0)
    calibration.wheel_odometry["wheels"] = {.frame_id = "wheel_odom",
                                            .spec = {.speed_scale = rng.uniform(0.9, 1.1),
                                                     .yaw_rate_bias = rng.uniform(-0.1, 0.1),
                                                     .speed_noise_std = rng.uniform(),
                                                     .yaw_rate_noise_std = rng.uniform()},
                                            .rate_hz = rng.uniform(10, 100)};
}

}  // namespace

WorldBundle makeRandomBundle(Rng& rng) {
  WorldBundle bundle = makeMinimalBundle();
  bundle.index.scene_id = "scene_" + std::to_string(rng.next());
  bundle.metadata.scene_id = bundle.index.scene_id;
  bundle.metadata.source.duration_sec = rng.uniform(0, 1e4);
  if (rng.below(2) == 0) {
    bundle.metadata.coordinate_system.origin_lat = rng.uniform(-90, 90);
    bundle.metadata.coordinate_system.origin_lon = rng.uniform(-180, 180);
    bundle.metadata.coordinate_system.origin_alt = rng.uniform(-100, 4000);
  }
  bundle.gaussians = randomCloud(rng);
  bundle.render_config.sh_degree = bundle.gaussians.sh_degree;
  bundle.render_config.rendering.background_color = {rng.uniform(), rng.uniform(), rng.uniform()};
  bundle.heightmap = randomHeightmap(rng);
  bundle.drivable = randomArea(rng);
  if (rng.below(2) == 0) {
    bundle.index.geometry.static_mesh = "geometry/static_mesh.glb";
    bundle.static_mesh = randomMesh(rng);
  }
  if (rng.below(2) == 0) {
    bundle.index.gaussians.sky = "gaussians/sky.png";
    bundle.sky = Image8(16, 8, 3);
    for (uint8_t& value : bundle.sky->pixels) value = static_cast<uint8_t>(rng.below(256));
  }
  bundle.calibration = randomCalibration(rng);
  if (const LidarCalibration& top = bundle.calibration.lidars.at("top"); top.spec.pattern)
    bundle.lidar_rays[*top.spec.pattern] = randomRays(rng, 1 / top.rate_hz);
  bundle.metadata.sensors.cameras.clear();
  for (const auto& [id, camera] : bundle.calibration.cameras)
    bundle.metadata.sensors.cameras.push_back(id);
  auto& system = bundle.metadata.coordinate_system;
  if (system.origin_lat && rng.below(2) == 0) system.origin_yaw = rng.uniform(-3, 3);
  addRandomExtras(rng, system.origin_lat.has_value(), bundle.calibration);
  bundle.tf_static = deriveStaticTransforms(bundle.calibration, "base_link");
  bundle.timebase.simulation.dt = rng.uniform(0.001, 0.05);
  bundle.timebase.initial_pose.orientation = randomRotation(rng);
  if (rng.uniform() < 0.5) {
    bundle.timebase.version = "1.1.0";
    bundle.timebase.base_link_above_ground = BaseLinkAboveGround{.height = rng.uniform(0, 2),
                                                                 .pitch = rng.uniform(-0.05, 0.05),
                                                                 .roll = rng.uniform(-0.05, 0.05)};
  }
  return bundle;
}

}  // namespace gs
