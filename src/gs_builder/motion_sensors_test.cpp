// SPDX-License-Identifier: Apache-2.0
// Motion sensors from a made drive whose truth is known, through log, ingest and calibration.
#include <gmock/gmock.h>

#include "gs/bundle/calibration.hpp"
#include "gs/bundle/metadata.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/sample_messages.hpp"
#include "gs_builder/pipeline.hpp"
#include "gs_builder/read_document.hpp"

namespace gs_builder {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// The mean drive with sensors as small as they can be.
gs::SampleDriveOptions smallDrive(uint64_t seed) {
  gs::SampleDriveOptions options = driveOptionsFor(gs::DrivePreset::Real, seed);
  options.seconds = 14;
  options.standstill = 4;
  options.has_moving_objects = false;
  options.odometry_wander = 0;
  options.rig.cameras.erase("image_03");
  for (auto& [id, camera] : options.rig.cameras) {
    camera.image_width = 64;
    camera.image_height = 24;
    camera.intrinsics.fx = camera.intrinsics.fy = 37;
    camera.intrinsics.cx = 31.5;
    camera.intrinsics.cy = 11.5;
  }
  options.rig.lidars["velodyne"].spec.horizontal_resolution_deg = 3;
  return options;
}

struct Built {
  gs::Calibration calibration;
  BuildReport report;
};

Built build(const fs::path& folder, const gs::SampleDriveOptions& options,
            const PipelineConfig& config = {}) {
  writeSampleDrive(folder / "drive.mcap", options);
  StepRequest request{.stage = "mcap_ingest",
                      .input_workspace = folder / "w",
                      .input = folder / "drive.mcap",
                      .workers = 2};
  request.config.pipeline = config;
  Built built{.report = runStep(request, {})};
  request.stage = "calibration_builder";
  request.input.clear();
  runStep(request, {});
  built.calibration = readDocument<gs::Calibration>(folder / "w/01_calibration/calibration.yaml");
  return built;
}

TEST(MotionSensors, AreFoundInALogWithTheirMountsAndTheirErrors) {
  for (const uint64_t seed : {1, 2}) {
    SCOPED_TRACE(seed);
    const gs::testing::TempDir dir;
    const gs::SampleDriveOptions options = smallDrive(seed);
    const Built built = build(dir.path(), options);
    ASSERT_EQ(built.calibration.imus.size(), 1u);
    EXPECT_EQ(built.calibration.version, "1.2.0");
    const gs::ImuCalibration& imu = built.calibration.imus.at("oxts");
    const gs::ImuCalibration& true_imu = options.rig.imus.at("oxts");
    EXPECT_EQ(imu.frame_id, "imu_oxts");
    EXPECT_EQ(imu.rate_hz, 100);
    const gs::Rigid3 mount = imu.extrinsics.baseFromSensor();
    const gs::Rigid3 true_mount = true_imu.extrinsics.baseFromSensor();
    EXPECT_LT((mount.translation - true_mount.translation).norm(), 1e-9);
    EXPECT_LT(mount.rotation.angularDistance(true_mount.rotation), 1e-7);
    EXPECT_NEAR(imu.spec.gyro_noise_density, 2e-4, 0.2 * 2e-4);
    EXPECT_NEAR(imu.spec.accel_noise_density, 2e-3, 0.2 * 2e-3);
    for (size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(imu.spec.gyro_bias[axis], true_imu.spec.gyro_bias[axis], 5e-4);

    const gs::GnssCalibration& gnss = built.calibration.gnss.at("oxts");
    EXPECT_EQ(gnss.rate_hz, 10);
    EXPECT_LT((gnss.extrinsics.baseFromSensor().translation -
               options.rig.gnss.at("oxts").extrinsics.baseFromSensor().translation)
                  .norm(),
              1e-9);
    EXPECT_NEAR(gnss.spec.horizontal_std, 0.4, 0.08);
    EXPECT_NEAR(gnss.spec.vertical_std, 0.8, 0.16);

    const gs::WheelOdometryCalibration& wheels = built.calibration.wheel_odometry.at("main");
    EXPECT_EQ(wheels.rate_hz, 50);
    EXPECT_NEAR(wheels.spec.speed_scale, 1.015, 0.003);
    EXPECT_NEAR(wheels.spec.yaw_rate_bias, 0.003, 0.001);
    EXPECT_NEAR(wheels.spec.speed_noise_std, 0.03, 0.006);
    EXPECT_NEAR(wheels.spec.yaw_rate_noise_std, 0.004, 0.0008);

    const auto& said = built.report.statistics["motion_sensors"]["imu oxts"];
    EXPECT_THAT(said["noise_from"].get<std::string>(), HasSubstr("s of standstill"));
    EXPECT_NEAR(built.report.statistics["standstill_sec"].get<double>(), 4, 0.5);
  }
}

TEST(MotionSensors, CanBeLeftOut) {
  const gs::testing::TempDir dir;
  gs::SampleDriveOptions options = smallDrive(3);
  options.seconds = 11;
  PipelineConfig config;
  config.ingest.motion_sensors = false;
  const Built built = build(dir.path(), options, config);
  EXPECT_TRUE(built.calibration.imus.empty());
  EXPECT_TRUE(built.calibration.gnss.empty());
  EXPECT_TRUE(built.calibration.wheel_odometry.empty());
  EXPECT_FALSE(built.report.statistics.contains("motion_sensors"));
}

}  // namespace
}  // namespace gs_builder
