// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/to_messages.hpp"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>

#include "gs/formats/cdr.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/testing/sample_steps.hpp"

namespace gs_sim {
namespace {

const FrameNames kFrames{"map", "odom", "base_link"};

TEST(ToMessages, EveryMessageOfAStepCarriesItsStamp) {
  const StepOutput step = makeSampleStep(7);
  const gs::msgs::Time time{3, 570'000'000};
  EXPECT_EQ(clockMessage(step.info).clock, time);
  for (const auto& transform : tfMessage(step, kFrames).transforms)
    EXPECT_EQ(transform.header.stamp, time);
  EXPECT_EQ(odometryMessage(step, kFrames).header.stamp, time);
  EXPECT_EQ(vehicleStateMessage(step, kFrames).header.stamp, time);
  EXPECT_EQ(statusMessage(step.info, *makeSampleStep(0).status, kFrames).header.stamp, time);
}

TEST(ToMessages, TheTreeOfFramesIsWholeAndPosesAgree) {
  const StepOutput step = makeSampleStep(7);
  const auto tf = tfMessage(step, kFrames);
  ASSERT_EQ(tf.transforms.size(), 2u);
  EXPECT_EQ(tf.transforms[0].header.frame_id, "map");
  EXPECT_EQ(tf.transforms[0].child_frame_id, "odom");
  EXPECT_EQ(tf.transforms[0].transform, gs::msgs::Transform{}) << "identity";
  EXPECT_EQ(tf.transforms[1].header.frame_id, "odom");
  EXPECT_EQ(tf.transforms[1].child_frame_id, "base_link");
  EXPECT_EQ(tf.transforms[1].transform.translation.x, step.ego.pose.x);
  const auto odometry = odometryMessage(step, kFrames);
  EXPECT_EQ(odometry.header.frame_id, "odom");
  EXPECT_EQ(odometry.child_frame_id, "base_link");
  EXPECT_EQ(odometry.pose.pose.position.x, step.ego.pose.x);
  EXPECT_EQ(odometry.pose.pose.orientation.w, step.ego.pose.qw);
  EXPECT_EQ(odometry.twist.twist.linear.x, step.ego.twist.vx);
  EXPECT_GT(odometry.pose.covariance[35], 0);
  const auto state = vehicleStateMessage(step, kFrames);
  EXPECT_EQ(state.pose, odometry.pose.pose);
  EXPECT_EQ(state.gear, gs::msgs::VehicleControlCmd::kGearDrive);
  EXPECT_FLOAT_EQ(state.wheel_speed_rl, static_cast<float>(step.ego.wheel_speeds[2]));
}

TEST(ToMessages, StaticTransformsAreThoseOfTheCalibration) {
  const gs::WorldBundle bundle = gs::makeMinimalBundle();
  const auto tf = staticTfMessage({5}, bundle.calibration, kFrames);
  ASSERT_EQ(tf.transforms.size(), 2u);
  EXPECT_EQ(tf.transforms[0].child_frame_id, "camera_front");
  EXPECT_EQ(tf.transforms[1].child_frame_id, "lidar_top");
  EXPECT_EQ(tf.transforms[1].header.frame_id, "base_link");
  EXPECT_EQ(tf.transforms[1].transform.translation.z,
            bundle.calibration.lidars.at("top").extrinsics.translation[2]);
}

TEST(ToMessages, CameraInfoSpeaksOfTheLensAsRosDoes) {
  gs::CameraCalibration camera = gs::makeMinimalBundle().calibration.cameras.at("front");
  camera.intrinsics.k1 = -0.1;
  camera.intrinsics.k3 = 0.03;
  auto info = cameraInfoMessage({1}, camera);
  EXPECT_EQ(info.distortion_model, "plumb_bob");
  EXPECT_THAT(info.d, testing::ElementsAre(-0.1, 0, 0, 0, 0.03));
  EXPECT_EQ(info.width, 640u);
  EXPECT_EQ(info.height, 480u);
  EXPECT_EQ(info.k, (std::array<double, 9>{500, 0, info.k[2], 0, 500, info.k[5], 0, 0, 1}));
  EXPECT_EQ(info.r, (std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(info.p[0], 500);
  EXPECT_EQ(info.p[10], 1);
  camera.intrinsics.distortion_model = gs::DistortionModel::Equidistant;
  info = cameraInfoMessage({1}, camera);
  EXPECT_EQ(info.distortion_model, "equidistant");
  EXPECT_EQ(info.d.size(), 4u);
}

TEST(ToMessages, WorldInfoNamesWhatIsSimulated) {
  const WorldData world{"/worlds/minimal", gs::makeMinimalBundle(), {}};
  const std::vector<SensorDescription> sensors = {{.kind = "camera", .id = "front"},
                                                  {.kind = "lidar", .id = "top"},
                                                  {.kind = "imu", .id = "a"}};
  const auto info = worldInfoMessage({1}, world, kFrames, sensors);
  EXPECT_EQ(info.world_id, world.bundle.index.scene_id);
  EXPECT_EQ(info.world_bundle_path, "/worlds/minimal");
  EXPECT_THAT(info.available_cameras, testing::ElementsAre("front"));
  const auto& extent = world.bundle.metadata.spatial_extent;
  EXPECT_EQ(info.world_origin, (gs::msgs::Point{extent.min_x, extent.min_y, extent.min_z}));
  EXPECT_EQ(info.world_extent_x, extent.max_x - extent.min_x);
  EXPECT_EQ(info.world_extent_y, extent.max_y - extent.min_y);
  EXPECT_EQ(info.world_extent_z, extent.max_z - extent.min_z);
  EXPECT_THAT(info.available_lidars, testing::ElementsAre("top"));
}

TEST(ToMessages, TheContractsPointsAreEighteenBytes) {
  const LidarScan scan = makeSampleScan(7);
  const auto cloud = cloudMessage(scan, {});
  EXPECT_EQ(cloud.height, 1u);
  EXPECT_EQ(cloud.width, scan.size());
  EXPECT_EQ(cloud.point_step, 18u);
  EXPECT_EQ(cloud.row_step, 18 * cloud.width);
  EXPECT_EQ(cloud.data.size(), cloud.row_step);
  EXPECT_FALSE(cloud.is_bigendian);
  const gs::LidarPoints points = gs::decodePointCloud(gs::viewPointCloud(cloud), "test");
  ASSERT_EQ(points.positions.size(), scan.size());
  EXPECT_TRUE(points.time_offset.empty());
  for (size_t i = 0; i < scan.size(); ++i) {
    EXPECT_EQ(points.positions[i], (std::array<float, 3>{scan.x[i], scan.y[i], scan.z[i]}));
    EXPECT_EQ(points.intensity[i], scan.intensity[i]);
    EXPECT_EQ(points.ring[i], scan.ring[i]);
  }
}

TEST(ToMessages, AMovingSweepTellsTheTimeOfItsPoints) {
  LidarScan scan = makeSampleScan(7);
  for (size_t i = 0; i < scan.size(); ++i)
    scan.time_offset_ns[i] = static_cast<uint32_t>(1'000'000 * i);
  const auto cloud = cloudMessage(scan, {.with_time = true});
  const gs::LidarPoints points = gs::decodePointCloud(gs::viewPointCloud(cloud), "test");
  ASSERT_EQ(points.time_offset.size(), scan.size());
  EXPECT_FLOAT_EQ(points.time_offset.back(), 0.001f * static_cast<float>(scan.size() - 1));
}

TEST(ToMessages, AutowaresPointsHaveTheirPlaces) {
  LidarScan scan = makeSampleScan(7);
  scan.intensity[1] = 200.6f;
  scan.time_offset_ns[1] = 123'456;
  const auto cloud = cloudMessage(scan, {.points = PointLayout::Xyzircaedt});
  ASSERT_EQ(cloud.point_step, 32u);
  std::vector<std::string> columns;
  for (const auto& field : cloud.point_fields)
    columns.push_back(field.name + "@" + std::to_string(field.offset) + ":" +
                      std::to_string(field.datatype));
  EXPECT_THAT(columns, testing::ElementsAre("x@0:7", "y@4:7", "z@8:7", "intensity@12:2",
                                            "return_type@13:2", "channel@14:4", "azimuth@16:7",
                                            "elevation@20:7", "distance@24:7", "time_stamp@28:6"));
  const uint8_t* point = cloud.data.data() + 32;
  const auto number = [&](size_t at) {
    float value;
    std::memcpy(&value, point + at, 4);
    return value;
  };
  const float x = scan.x[1], y = scan.y[1], z = scan.z[1];
  EXPECT_EQ(point[12], 201);
  EXPECT_EQ(point[13], 1);
  EXPECT_EQ(point[14], scan.ring[1]);
  EXPECT_FLOAT_EQ(number(16), std::atan2(y, x));
  EXPECT_FLOAT_EQ(number(20), std::atan2(z, std::hypot(x, y)));
  EXPECT_FLOAT_EQ(number(24), std::hypot(x, y, z));
  uint32_t time;
  std::memcpy(&time, point + 28, 4);
  EXPECT_EQ(time, 123'456u);
}

TEST(ToMessages, LargeMessagesHaveTheBytesThatTheirStructsHave) {
  const CameraFrame frame = makeSampleFrame(7);
  std::vector<std::byte> bytes(5, std::byte{9});
  encodeImage(frame, bytes);
  EXPECT_EQ(bytes, gs::encodeCdr(imageMessage(frame)));
  for (const CloudLayout layout : {CloudLayout{}, CloudLayout{.with_time = true},
                                   CloudLayout{.points = PointLayout::Xyzircaedt}})
    for (const size_t count : {0, 1, 3}) {
      LidarScan scan = makeSampleScan(7);
      for (auto* column : {&scan.x, &scan.y, &scan.z, &scan.intensity}) column->resize(count);
      scan.ring.resize(count);
      scan.time_offset_ns.resize(count);
      encodeCloud(scan, layout, bytes);
      EXPECT_EQ(bytes, gs::encodeCdr(cloudMessage(scan, layout)));
    }
}

}  // namespace
}  // namespace gs_sim
