// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/bundle/calibration.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/formats/png.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/pipeline.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/timeline.hpp"

// mcap_ingest on small logs with known faults: each is counted, none ends the drive.
namespace gs_builder {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr int64_t kStart = 1'700'000'000'000'000'000;

// What is wrong with a log that is otherwise fine.
struct Faults {
  bool has_odd_encoding = false;  // of image 3
  bool has_short_image = false;   // image 4 has too little data
  bool has_nan_points = false;    // two points of scan 2
  bool has_empty_cloud = false;   // scan 5
  bool has_clock_jump = false;    // the stamp of scan 7 is an hour late
  bool has_no_odometry = false;   // the pose comes from /tf alone
  bool has_optical_frame = false;
};

class LogMaker {
 public:
  explicit LogMaker(const fs::path& file) : log_(file) {}

  template <typename Message>
  void write(const std::string& topic, int64_t ns, const Message& message) {
    const uint16_t schema =
        log_.addSchema(Message::kRosType, "ros2msg", gs::rosSchemaText<Message>());
    const auto bytes = gs::encodeCdr(message);
    log_.write({.channel_id = log_.addChannel(schema, topic, "cdr"),
                .log_time = {ns},
                .publish_time = {ns},
                .data = bytes});
  }
  void close() { log_.close(); }

 private:
  gs::McapWriter log_;
};

gs::msgs::Header headerAt(int64_t ns, const std::string& frame) {
  const gs::SecNanosec time = gs::toSecNanosec({ns});
  return {{time.sec, time.nanosec}, frame};
}

gs::msgs::TransformStamped mount(const std::string& parent, const std::string& child, double x) {
  gs::msgs::TransformStamped transform;
  transform.header = headerAt(kStart, parent);
  transform.child_frame_id = child;
  transform.transform.translation.x = x;
  return transform;
}

std::string cameraFrame(const Faults& faults) {
  return faults.has_optical_frame ? "front_cam_optical" : "camera_front";
}

gs::msgs::PointCloud2 cloudAt(int64_t ns, int k, const Faults& faults) {
  gs::LidarPoints points;
  if (!(faults.has_empty_cloud && k == 5))
    for (int i = 0; i < 200; ++i) {
      const double azimuth = std::numbers::pi * (1 - i / 100.0);
      points.positions.push_back({static_cast<float>(10 * std::cos(azimuth)),
                                  static_cast<float>(10 * std::sin(azimuth)), -1});
      points.intensity.push_back(0.5f);
      points.ring.push_back(static_cast<uint16_t>(i % 2));
      points.time_offset.push_back(0);
    }
  if (faults.has_nan_points && k == 2)
    points.positions[7][0] = points.positions[9][2] = std::numeric_limits<float>::quiet_NaN();
  gs::msgs::PointCloud2 cloud;
  gs::fillPointCloud(points, cloud);
  cloud.header =
      headerAt(ns + (faults.has_clock_jump && k == 7 ? 3'600'000'000'000 : 0), "lidar_top");
  return cloud;
}

// Two seconds along x at 10 m/s: a 6 x 4 camera and a LiDAR at 10 Hz, poses at 50 Hz.
void writeLog(const fs::path& file, const Faults& faults) {
  LogMaker log(file);
  gs::msgs::TFMessage mounts;
  mounts.transforms = {mount("base_link", "camera_front", 1), mount("base_link", "lidar_top", 2)};
  if (faults.has_optical_frame)
    mounts.transforms[0].transform.rotation = {.x = -0.5, .y = 0.5, .z = -0.5, .w = 0.5};
  mounts.transforms[0].child_frame_id = cameraFrame(faults);
  if (!faults.has_no_odometry) mounts.transforms.push_back(mount("map", "odom", 100));
  log.write("/tf_static", kStart, mounts);
  for (int k = 0; k < 100; ++k) {
    const int64_t ns = kStart + k * 20'000'000;
    const double x = 0.2 * k;
    if (faults.has_no_odometry) {
      auto moving = mount("map", "base_link", 100 + x);
      moving.header = headerAt(ns, "map");
      log.write("/tf", ns, gs::msgs::TFMessage{{moving}});
    } else {
      gs::msgs::Odometry odometry;
      odometry.header = headerAt(ns, "odom");
      odometry.child_frame_id = "base_link";
      odometry.pose.pose.position.x = x;
      odometry.pose.pose.orientation.w = 2;  // not of unit length: normalised
      log.write("/odom", ns, odometry);
    }
    if (k % 5 != 0) continue;
    gs::msgs::Image image;
    image.header = headerAt(ns, cameraFrame(faults));
    image.width = 6;
    image.height = 4;
    image.step = 18;
    image.encoding = faults.has_odd_encoding && k == 15 ? "odd" : "rgb8";
    image.data.assign(faults.has_short_image && k == 20 ? 10 : 72, static_cast<uint8_t>(k));
    log.write("/camera/front/image_raw", ns, image);
    gs::msgs::CameraInfo info;
    info.header = image.header;
    info.width = 6;
    info.height = 4;
    info.k = {5, 0, 2.5, 0, 5, 1.5, 0, 0, 1};
    log.write("/camera/front/camera_info", ns, info);
    log.write("/lidar/top/points", ns, cloudAt(ns, k / 5, faults));
  }
  log.close();
}

class McapIngest : public ::testing::Test {
 protected:
  BuildReport ingest(const Faults& faults) {
    writeLog(dir_ / "log.mcap", faults);
    StepRequest request{.stage = "mcap_ingest",
                        .input_workspace = dir_ / "w",
                        .input = dir_ / "log.mcap",
                        .workers = 2};
    request.config.pipeline.quality.min_duration_sec = 1;
    return runStep(request, {});
  }
  fs::path folder() const { return dir_ / "w/00_mcap_ingest"; }
  size_t countFiles(const std::string& name) const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder() / name), {}));
  }

  gs::testing::TempDir dir_;
};

TEST_F(McapIngest, UnpacksImagesScansAndPoses) {
  const BuildReport report = ingest({});
  EXPECT_EQ(report.statistics["num_images"], 20);
  EXPECT_EQ(report.statistics["num_lidar_scans"], 20);
  const auto png =
      gs::readTextFile(folder() / "raw_extract/images/camera_front/0000000002.png", 1 << 20);
  EXPECT_EQ(gs::decodePng(gs::asBytes(png), "png").pixels[0], 10);  // lossless
  const gs::PcdCloud cloud =
      gs::readPcd(*gs::openFile(folder() / "raw_extract/lidar/0000000000.pcd"));
  EXPECT_NEAR(cloud.positions[0][0], -10 + 2, 1e-5);  // in base_link
  EXPECT_NEAR(cloud.intensity[0], 127.5, 1e-3);       // 0..1 became 0..255
  const EgoTrajectory poses = readPosesCsv(folder() / "raw_extract/poses.csv");
  EXPECT_EQ(poses.poses().size(), 100u);
  EXPECT_NEAR(poses.at({kStart + 1'010'000'000})->translation.x(), 110.1, 1e-9);  // map, not odom
  EXPECT_EQ(readTimeline(folder() / "timeline.json").sensors.size(), 2u);
}

TEST_F(McapIngest, WhatTheRecordingWasIsKept) {
  ingest({.has_optical_frame = true});
  StepRequest request{.stage = "calibration_builder", .input_workspace = dir_ / "w", .workers = 2};
  runStep(request, {});
  const auto calibration =
      readDocument<gs::Calibration>(dir_ / "w/01_calibration/calibration.yaml");
  EXPECT_EQ(calibration.cameras.at("front").frame_id, "front_cam_optical");
  EXPECT_EQ(calibration.cameras.at("front").rate_hz, 10);
  EXPECT_EQ(calibration.lidars.at("top").frame_id, "lidar_top");
  EXPECT_EQ(calibration.lidars.at("top").rate_hz, 10);
  EXPECT_EQ(calibration.lidars.at("top").spec.intensity_max, 1);
  EXPECT_EQ(calibration.lidars.at("top").spec.usual_intensity, 0.5);
  EXPECT_EQ(calibration.version, "1.1.0");
}

TEST_F(McapIngest, TfAloneGivesThePoses) {
  ingest({.has_no_odometry = true});
  const EgoTrajectory poses = readPosesCsv(folder() / "raw_extract/poses.csv");
  EXPECT_NEAR(poses.at({kStart + 1'010'000'000})->translation.x(), 110.1, 1e-9);
}

TEST_F(McapIngest, BadMessagesAreCountedAndLeaveNoHoles) {
  const BuildReport report = ingest({.has_odd_encoding = true,
                                     .has_short_image = true,
                                     .has_nan_points = true,
                                     .has_empty_cloud = true,
                                     .has_clock_jump = true});
  EXPECT_EQ(report.statistics["num_images"], 18);
  EXPECT_EQ(report.statistics["num_dropped_images"], 2);
  EXPECT_EQ(report.statistics["num_lidar_scans"], 18);  // one empty, one whose clock jumped
  EXPECT_EQ(report.statistics["num_dropped_scans"], 1);
  EXPECT_EQ(report.statistics["num_non_finite_points"], 2);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("2 frames left out")));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("stamps that jump")));
  EXPECT_EQ(countFiles("raw_extract/images/camera_front"), 18u);
  EXPECT_TRUE(fs::exists(folder() / "raw_extract/images/camera_front/0000000017.png"));
  EXPECT_TRUE(fs::exists(folder() / "raw_extract/lidar/0000000017.pcd"));
  EXPECT_FALSE(fs::exists(folder() / "raw_extract/lidar/0000000018.pcd"));
}

TEST_F(McapIngest, ALaterStageWithoutThisOneSaysWhatIsMissing) {
  try {
    runStep({.stage = "calibration_builder", .input_workspace = dir_ / "empty"}, {});
    FAIL() << "should have thrown";
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::FileMissing);
    EXPECT_THAT(error.report().message, HasSubstr("00_mcap_ingest"));
  }
}

TEST_F(McapIngest, AStageIsRedoneFromEmpty) {
  ingest({});
  gs::writeFile(folder() / "raw_extract/lidar/9999999999.pcd", "left by a killed run");
  ingest({});
  EXPECT_EQ(countFiles("raw_extract/lidar"), 20u);
}

}  // namespace
}  // namespace gs_builder
