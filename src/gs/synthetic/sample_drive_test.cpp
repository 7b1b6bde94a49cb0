// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/sample_drive.hpp"

#include <map>

#include <gtest/gtest.h>

#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {
namespace {

// Half a second with small sensors: quick, and everything is in it.
SampleDriveOptions shortDrive() {
  SampleDriveOptions options;
  options.seconds = 0.5;
  options.rig = makeSampleRig();
  for (auto& [id, camera] : options.rig.cameras) {
    camera.image_width = 80;
    camera.image_height = 45;
    camera.intrinsics.fx = camera.intrinsics.fy = 48;
    camera.intrinsics.cx = 39.5;
    camera.intrinsics.cy = 22;
  }
  options.rig.lidars["top"].spec.channels = 8;
  options.rig.lidars["top"].spec.horizontal_resolution_deg = 2;
  options.has_lidar_noise = false;
  return options;
}

TEST(SampleDrive, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  const testing::TempDir dir;
  writeSampleDrive(dir / "a.mcap", shortDrive());
  setThreadCount(1);
  writeSampleDrive(dir / "b.mcap", shortDrive());
  setThreadCount(0);
  EXPECT_EQ(readTextFile(dir / "a.mcap", 1 << 26), readTextFile(dir / "b.mcap", 1 << 26));
  SampleDriveOptions other = shortDrive();
  other.seed = 2;
  writeSampleDrive(dir / "c.mcap", other);
  EXPECT_NE(readTextFile(dir / "a.mcap", 1 << 26), readTextFile(dir / "c.mcap", 1 << 26));
}

TEST(SampleDrive, HasEveryTopicAtItsRate) {
  const testing::TempDir dir;
  writeSampleDrive(dir / "a.mcap", shortDrive());
  const LogReader log(dir / "a.mcap");
  std::map<std::string, uint64_t> counts;
  for (const LogTopic& topic : log.summary().topics) counts[topic.name] = topic.message_count;
  EXPECT_EQ(counts["/odom"], 50u);
  EXPECT_EQ(counts["/imu/data"], 50u);
  EXPECT_EQ(counts["/tf"], 55u);
  EXPECT_EQ(counts["/tf_static"], 1u);
  EXPECT_EQ(counts["/gnss/fix"], 3u);
  EXPECT_EQ(counts["/lidar/top/points"], 10u);
  EXPECT_EQ(counts["/camera/front/image_raw/compressed"], 6u);
  EXPECT_EQ(counts["/camera/right/camera_info"], 6u);
}

TEST(SampleDrive, OdometryIsTheTruePoseExactly) {
  const testing::TempDir dir;
  writeSampleDrive(dir / "a.mcap", shortDrive());
  const SampleDriveTruth truth = readSampleDriveTruth(dir / "a.mcap");
  EXPECT_TRUE(truth.options == shortDrive());
  LogReader(dir / "a.mcap").read({.topics = {"/odom"}}, [&](const LogMessage& message) {
    const auto odometry = decodeCdr<msgs::Odometry>(message.data, "/odom");
    const Rigid3 pose = truth.motion.mapFromBase(toSeconds(message.log_time - kSampleDriveStart));
    EXPECT_EQ(odometry.pose.pose.position.x, pose.translation.x());
    EXPECT_EQ(odometry.pose.pose.orientation.w, pose.rotation.w());
    EXPECT_GT(odometry.twist.twist.linear.x, 4);
    EXPECT_LT(odometry.twist.twist.linear.x, 8.01);
  });
}

TEST(SampleDrive, APointOfTheLogLiesOnTheTrueSurface) {
  const testing::TempDir dir;
  writeSampleDrive(dir / "a.mcap", shortDrive());
  const SampleDriveTruth truth = readSampleDriveTruth(dir / "a.mcap");
  const Rigid3 base_from_lidar = truth.options.rig.lidars.at("top").extrinsics.baseFromSensor();
  size_t ground_points = 0, below = 0;
  LogReader(dir / "a.mcap").read({.topics = {"/lidar/top/points"}}, [&](const LogMessage& m) {
    const auto cloud = decodeCdr<msgs::PointCloud2>(m.data, "points");
    EXPECT_GT(cloud.width, 100u);
    for (uint32_t i = 0; i < cloud.width; ++i) {
      const uint8_t* at = cloud.data.data() + i * cloud.point_step;
      float xyz[3], time;
      std::memcpy(xyz, at, 12);
      std::memcpy(&time, at + 20, 4);
      const double t = toSeconds(m.log_time - kSampleDriveStart) + static_cast<double>(time);
      const Vec3 p = truth.motion.mapFromBase(t) * base_from_lidar * Vec3(xyz[0], xyz[1], xyz[2]);
      if (!isDrivable(truth.town.drivable(), p.x(), p.y())) continue;
      const double above = p.z() - truth.town.groundHeight(p.x(), p.y());
      // On a kerb's face, exactly at the edge of the area, the ground is two heights at once.
      if (above < -0.01) ++below;
      if (std::abs(above) < 0.005) ++ground_points;
    }
  });
  EXPECT_GT(ground_points, 100u);
  EXPECT_LT(100 * below, ground_points);
}

TEST(SampleDrive, AnImageOfTheLogIsTheTrueViewFromItsPose) {
  const testing::TempDir dir;
  writeSampleDrive(dir / "a.mcap", shortDrive());
  const SampleDriveTruth truth = readSampleDriveTruth(dir / "a.mcap");
  const TownRenderer renderer(truth.town);
  const CameraCalibration& camera = truth.options.rig.cameras.at("left");
  LogReader(dir / "a.mcap")
      .read({.topics = {"/camera/left/image_raw/compressed"}}, [&](const LogMessage& message) {
        const auto jpeg = decodeCdr<msgs::CompressedImage>(message.data, "image");
        const Image8 logged = decodeJpeg(std::as_bytes(std::span(jpeg.data)), "image");
        const double t = toSeconds(message.log_time - kSampleDriveStart);
        const Image8 expected =
            renderer
                .renderView(ViewCamera{80, 45, camera.intrinsics},
                            truth.motion.mapFromBase(t) * camera.extrinsics.baseFromSensor(), t)
                .rgb;
        ASSERT_EQ(logged.pixels.size(), expected.pixels.size());
        double difference = 0;
        for (size_t i = 0; i < logged.pixels.size(); ++i)
          difference += std::abs(logged.pixels[i] - expected.pixels[i]);
        EXPECT_LT(difference / static_cast<double>(logged.pixels.size()), 6);  // JPEG, no more
      });
}

}  // namespace
}  // namespace gs
