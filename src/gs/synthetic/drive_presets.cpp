// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_presets.hpp"

#include <numbers>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Extrinsics toExtrinsics(const Rigid3& base_from_sensor) {
  const Vec3& p = base_from_sensor.translation;
  return {.translation = {p.x(), p.y(), p.z()}, .rotation_quat = toXyzw(base_from_sensor.rotation)};
}

// Looks along x of the vehicle, turned to the left.
Rigid3 cameraMount(double x, double y, double z, double yaw_deg) {
  const Quat optical(0.5, -0.5, 0.5, -0.5);  // w x y z
  const Quat turned = fromRollPitchYaw(0, 0, yaw_deg * kDegree) * optical;
  return {turned.normalized(), Vec3(x, y, z)};
}

// Elevations as a 64-beam sensor of two blocks has them: a third of a degree apart in the upper
// block, half a degree in the lower one, each laser a little off where it should point.
std::vector<double> unevenElevations(Rng rng) {
  constexpr int kPerBlock = 32;
  std::vector<double> elevations;
  const auto addBlock = [&](double top, double bottom, double deviation) {
    for (int i = 0; i < kPerBlock; ++i)
      elevations.push_back(top + (bottom - top) * i / (kPerBlock - 1) +
                           rng.uniform(-deviation, deviation));
  };
  addBlock(2.0, -8.33, 0.08);
  addBlock(-8.83, -24.8, 0.12);
  return {elevations.rbegin(), elevations.rend()};
}

SampleDriveOptions realDrive(uint64_t seed) {
  SampleDriveOptions options;
  options.seconds = 20;
  options.seed = seed;
  options.speed = 6;
  options.base_above_ground = BaseLinkAboveGround::ofDegrees(0.95, -0.4, -0.9);
  options.base_above_ground.pitch_per_acceleration = -0.2 * BaseLinkAboveGround::kDegree;
  options.base_above_ground.roll_per_lateral_acceleration = 0.5 * BaseLinkAboveGround::kDegree;
  options.rig = makeRealRig(options.base_above_ground, seed);
  options.odometry_wander = 2.6;
  options.route_start = Rng(seed).fork(0x57).uniform(0, 240);
  options.town = {.has_thin_things = true,
                  .has_dark_paint = true,
                  .has_hard_sun = true,
                  .has_wet_patch = true,
                  .has_usual_traffic = false,
                  .has_follower = true,
                  .has_stopping_car = true,
                  .has_truck = true,
                  .has_standing_people = true};
  options.names = {.camera = "/camera/{}",
                   .lidar = "/{}/points",
                   .odometry = "/wheel/odometry",
                   .wandering_odometry = "/oxts/odometry",
                   .imu = "/oxts/imu",
                   .navsat = "/oxts/fix",
                   .twist = "/vehicle/twist"};
  options.bracket_frame = "bracket";
  options.no_fix_share = 0.03;
  options.timing = {.is_triggered_by_lidar = true, .jitter = 0.0015};
  options.clouds = {.has_ring = false,
                    .has_time = false,
                    .is_in_ring_order = true,
                    .is_motion_compensated = true,
                    .full_intensity = 1,
                    .range_noise = 0.02,
                    .stray_share = 1e-4,
                    .dropout_share = 0.01,
                    .sees_own_roof = true};
  return options;
}

}  // namespace

SampleDriveOptions driveOptionsFor(DrivePreset preset, uint64_t seed) {
  if (preset == DrivePreset::Real) return realDrive(seed);
  SampleDriveOptions options;
  options.seed = seed;
  options.rig = makeSampleRig();
  return options;
}

Calibration makeSampleRig() {
  Calibration rig;
  const auto addCamera = [&](const std::string& id, double y, double yaw_deg) {
    rig.cameras[id] = {.frame_id = "camera_" + id,
                       .image_width = 800,
                       .image_height = 450,
                       .intrinsics = {.fx = 480,
                                      .fy = 480,
                                      .cx = 399.5,
                                      .cy = 224.5,
                                      .k1 = -0.12,
                                      .k2 = 0.03,
                                      .p1 = 0.0004,
                                      .p2 = -0.0003},
                       .extrinsics = toExtrinsics(cameraMount(1.6, y, 1.6, yaw_deg)),
                       .rate_hz = 12};
  };
  addCamera("front", 0.0, 0);
  addCamera("left", 0.4, 60);
  addCamera("right", -0.4, -60);
  rig.lidars["top"] = {.frame_id = "lidar_top",
                       .extrinsics = {.translation = {1.0, 0.0, 2.0}},
                       .spec = {.model = "generic_32",
                                .channels = 32,
                                .horizontal_resolution_deg = 0.2,
                                .vertical_fov_deg = {-25, 15},
                                .max_range = 100,
                                .min_range = 0.8},
                       .rate_hz = 20};
  return rig;
}

Calibration makeRealRig(const BaseLinkAboveGround& base, uint64_t seed) {
  constexpr double kRate = 9.68;
  const Rigid3 base_from_footing = base.footingFromBase().inverse();
  Calibration rig;
  const auto addCamera = [&](const std::string& id, double y) {
    rig.cameras[id] = {
        .frame_id = "camera_" + id + "_optical",
        .image_width = 800,
        .image_height = 300,
        .intrinsics = {.fx = 465,
                       .fy = 466,
                       .cx = 402.5,
                       .cy = 138.0,
                       .k1 = -0.09,
                       .k2 = 0.02,
                       .p1 = 0.0003,
                       .p2 = -0.0002},
        .extrinsics = toExtrinsics(base_from_footing * cameraMount(1.68, y, 1.65, 0)),
        .rate_hz = kRate};
  };
  addCamera("image_02", 0.27);
  addCamera("image_03", -0.27);
  const std::vector<double> elevations = unevenElevations(Rng(seed).fork(0x64));
  rig.lidars["velodyne"] = {
      .frame_id = "lidar_velodyne",
      .extrinsics = toExtrinsics(base_from_footing * Rigid3{Quat::Identity(), Vec3(0.76, 0, 1.73)}),
      .spec = {.model = "uneven_64",
               .channels = static_cast<int>(elevations.size()),
               .horizontal_resolution_deg = 0.2,
               .vertical_fov_deg = {elevations.front(), elevations.back()},
               .vertical_angles_deg = elevations,
               .max_range = 80,
               .min_range = 0.9},
      .rate_hz = kRate};
  // Screwed on as there was room: lying on its back, turned to the side.
  rig.imus["oxts"] = {
      .frame_id = "imu_oxts",
      .extrinsics = toExtrinsics({fromRollPitchYaw(3.0, 0.05, -1.4), Vec3(0.35, -0.25, 0.12)}),
      .spec = {.gyro_noise_density = 2e-4,
               .gyro_random_walk = 1e-5,
               .gyro_bias = {0.004, -0.006, 0.002},
               .accel_noise_density = 2e-3,
               .accel_random_walk = 1e-4,
               .accel_bias = {0.05, -0.03, 0.08}},
      .rate_hz = 100};
  rig.gnss["oxts"] = {.frame_id = "gnss_oxts",
                      .extrinsics = toExtrinsics(base_from_footing *
                                                 Rigid3{Quat::Identity(), Vec3(0.2, 0.3, 1.75)}),
                      .spec = {.horizontal_std = 0.4, .vertical_std = 0.8},
                      .rate_hz = 10};
  rig.wheel_odometry["main"] = {.frame_id = "wheel_odom",
                                .spec = {.speed_scale = 1.015,
                                         .yaw_rate_bias = 0.003,
                                         .speed_noise_std = 0.03,
                                         .yaw_rate_noise_std = 0.004},
                                .rate_hz = 50};
  return rig;
}

void mountSurroundRig(SampleDriveOptions& options) {
  Calibration& rig = options.rig;
  const CameraCalibration pattern = rig.cameras.begin()->second;
  const std::string id = rig.cameras.begin()->first;
  const Rigid3 base_from_footing = options.base_above_ground.footingFromBase().inverse();
  rig.cameras.clear();
  const auto addCamera = [&](const std::string& name, double x, double y, double yaw_deg) {
    CameraCalibration camera = pattern;
    camera.frame_id.replace(camera.frame_id.find(id), id.size(), name);
    camera.extrinsics = toExtrinsics(base_from_footing * cameraMount(x, y, 1.6, yaw_deg));
    rig.cameras[name] = camera;
  };
  addCamera("front", 1.6, 0, 0);
  addCamera("front_left", 1.4, 0.5, 60);
  addCamera("front_right", 1.4, -0.5, -60);
  addCamera("rear", -0.3, 0, 180);
  addCamera("rear_left", 0.1, 0.5, 120);
  addCamera("rear_right", 0.1, -0.5, -120);

  const double rate_hz = rig.lidars.begin()->second.rate_hz;
  // Lower, behind the first, looking down: sees what the roof hides from the other.
  rig.lidars["rear"] = {
      .frame_id = "lidar_rear",
      .extrinsics = toExtrinsics(base_from_footing *
                                 Rigid3{fromRollPitchYaw(0, 0, 170 * kDegree), Vec3(-0.9, 0, 1.1)}),
      .spec = {.model = "generic_16",
               .channels = 16,
               .horizontal_resolution_deg = 0.4,
               .vertical_fov_deg = {-15, 15},
               .max_range = 60,
               .min_range = 0.6},
      .rate_hz = rate_hz};
}

}  // namespace gs
