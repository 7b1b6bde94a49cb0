// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/doctor.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gs_builder {
namespace {

using gs::ErrorCode;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kStart = 1'700'000'000'000'000'000;
constexpr int64_t kMs = 1'000'000;

void addTopic(LogDigest& digest, const std::string& name, const std::string& type,
              const std::string& frame, int64_t period_ms, int64_t seconds) {
  TopicSurvey topic{.name = name, .type = type, .frame_id = frame, .has_header = true};
  for (int64_t t = 0; t < seconds * 1000; t += period_ms) {
    const gs::Stamp stamp{kStart + t * kMs};
    if (topic.count++ == 0) topic.first = stamp;
    else topic.periods.add({period_ms * kMs}, topic.last);
    topic.last = stamp;
    if (type != "nav_msgs/msg/Odometry") digest.sensor_stamps[name].push_back({stamp, stamp});
  }
  digest.survey.topics.push_back(topic);
}

void addMount(TfTree& tf, const std::string& parent, const std::string& child) {
  tf.add(parent, child, true, {kStart}, {kStart}, {1, 0, 1}, {0, 0, 0, 1});
}

// What a good log of `seconds` looks like after it was read once; TF is not settled yet.
LogDigest goodDigest(int64_t seconds = 40) {
  LogDigest digest;
  digest.survey.log = "drive.mcap";
  digest.survey.start = {kStart};
  digest.survey.end = {kStart + seconds * 1000 * kMs};
  addTopic(digest, "/camera/front/image_raw", "sensor_msgs/msg/Image", "camera_front", 80, seconds);
  addTopic(digest, "/lidar/top/points", "sensor_msgs/msg/PointCloud2", "lidar_top", 50, seconds);
  digest.cameras["/camera/front/image_raw"] = {.width = 800, .height = 450};
  digest.lidars["/lidar/top/points"] = {.has_time = true, .has_ring = true, .has_intensity = true};
  gs::msgs::CameraInfo info;
  info.width = 800;
  info.height = 450;
  info.k = {500, 0, 400, 0, 500, 225, 0, 0, 1};
  digest.camera_infos["/camera/front/camera_info"] = {info};
  PoseTopic odom{
      .type = "nav_msgs/msg/Odometry", .frame_id = "odom", .child_frame_id = "base_link"};
  for (int64_t t = 0; t <= seconds * 1000; t += 10) {
    const gs::Stamp stamp{kStart + t * kMs};
    odom.stamps.push_back({stamp, stamp});
    odom.frame_from_child.push_back(
        {gs::Quat::Identity(), gs::Vec3(0.01 * static_cast<double>(t), 0, 0)});
  }
  digest.poses["/odom"] = odom;
  addMount(digest.tf, "map", "odom");
  addMount(digest.tf, "base_link", "camera_front");
  addMount(digest.tf, "base_link", "lidar_top");
  return digest;
}

Diagnosis diagnosed(LogDigest& digest, const PipelineConfig& config = {}) {
  digest.tf.settle();
  return diagnose(digest, config, 2);
}

ErrorCode firstFatal(const Diagnosis& diagnosis) {
  const LogFinding* fatal = diagnosis.findings.firstFatal();
  return fatal != nullptr ? fatal->code : ErrorCode::UsageError;
}

TEST(Doctor, AGoodLogIsFitAndItsSensorsAreFound) {
  LogDigest digest = goodDigest();
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.isFit()) << toText(diagnosis, digest);
  EXPECT_TRUE(diagnosis.findings.warnings().empty()) << toText(diagnosis, digest);
  ASSERT_EQ(diagnosis.plan.cameras.size(), 1u);
  EXPECT_EQ(diagnosis.plan.cameras[0].id, "front");
  EXPECT_EQ(diagnosis.plan.lidars[0].id, "top");
  EXPECT_EQ(diagnosis.plan.pose_topic, "/odom");
  // map_from_odom is a metre east and a metre up.
  EXPECT_NEAR(diagnosis.ego.trajectory.at({kStart + 1000 * kMs})->translation.x(), 11, 1e-9);
  EXPECT_NEAR(diagnosis.offsets.at("front").median, 0, 0.021);
  EXPECT_TRUE(toJson(diagnosis, digest)["fit"]);
}

// An IMU at 100 Hz and wheels at 50 Hz that say what the good log's poses say.
void addMotionSensors(LogDigest& digest, const std::string& imu_frame, double speed) {
  ImuTopic& imu = digest.motion.imus["/sensing/imu/tamagawa/imu_raw"];
  imu.frame_id = imu_frame;
  TwistTopic& wheels = digest.motion.twists["/vehicle/status/velocity_status"];
  wheels.type = "autoware_vehicle_msgs/msg/VelocityReport";
  for (int64_t t = 0; t < 40'000; t += 10) {
    const gs::Stamp stamp{kStart + t * kMs};
    imu.stamps.push_back({stamp, stamp});
    imu.turn_rate.push_back(gs::Vec3::Zero());
    imu.specific_force.push_back(gs::Vec3(0, 0, 9.8));
    if (t % 20 != 0) continue;
    wheels.stamps.push_back({stamp, stamp});
    wheels.speed.push_back(speed);
    wheels.yaw_rate.push_back(0);
  }
  digest.motion.twists["/cmd_vel"] = wheels;
}

TEST(Doctor, MotionSensorsAreFoundWithTheirRates) {
  LogDigest digest = goodDigest();
  addMotionSensors(digest, "base_link", 10);
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.findings.warnings().empty()) << toText(diagnosis, digest);
  ASSERT_EQ(diagnosis.plan.imus.size(), 1u);
  EXPECT_EQ(diagnosis.plan.imus[0].id, "tamagawa");
  EXPECT_EQ(diagnosis.plan.imus[0].rate_hz, 100);
  ASSERT_EQ(diagnosis.plan.wheel_odometry.size(), 1u);  // a command is no measurement
  EXPECT_EQ(diagnosis.plan.wheel_odometry[0].id, "main");
  EXPECT_EQ(diagnosis.plan.wheel_odometry[0].rate_hz, 50);
  EXPECT_THAT(toText(diagnosis, digest), HasSubstr("imu    tamagawa"));
  EXPECT_EQ(toJson(diagnosis, digest)["imus"][0]["topic"], "/sensing/imu/tamagawa/imu_raw");
  PipelineConfig config;
  config.ingest.motion_sensors = false;
  EXPECT_TRUE(diagnose(digest, config, 2).plan.imus.empty());
}

TEST(Doctor, AMotionSensorThatCannotBeUsedIsAWarningAndStopsNothing) {
  LogDigest digest = goodDigest();
  addMotionSensors(digest, "nowhere", -3);  // backwards, where the poses drive forwards
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.isFit()) << toText(diagnosis, digest);
  EXPECT_THAT(diagnosis.findings.warnings(),
              Contains(HasSubstr("imu tamagawa: left out, its frame 'nowhere'")));
  EXPECT_TRUE(diagnosis.plan.imus.empty());
  EXPECT_TRUE(diagnosis.plan.wheel_odometry.empty());
  PipelineConfig config;
  config.topics.wheel_odometry = {{"main", "/vehicle/status/velocity_status"}};
  config.topics.gnss = {{"roof", "/no/such/topic"}};
  const Diagnosis named = diagnose(digest, config, 2);
  EXPECT_TRUE(named.isFit());
  EXPECT_THAT(named.findings.warnings(), Contains(HasSubstr("not those of the vehicle")));
  EXPECT_THAT(named.findings.warnings(), Contains(HasSubstr("'/no/such/topic' is not in the log")));
}

TEST(Doctor, AShortLogIsAWarningAndAVeryShortOneFatalUnlessTheGateIsLowered) {
  LogDigest twenty = goodDigest(20);
  const Diagnosis warned = diagnosed(twenty);
  EXPECT_TRUE(warned.isFit()) << toText(warned, twenty);
  EXPECT_THAT(warned.findings.warnings(), Contains(HasSubstr("30 s or more are good")));
  LogDigest digest = goodDigest(6);
  const Diagnosis strict = diagnosed(digest);
  EXPECT_EQ(firstFatal(strict), ErrorCode::InsufficientData);
  EXPECT_EQ(strict.findings.firstFatal()->details.json()["required"], 10.0);
  EXPECT_THAT(toText(strict, digest),
              HasSubstr("\u2717 duration: 6.000 s recorded, at least 10 s "));
  EXPECT_THAT(toText(strict, digest), Not(HasSubstr("\u2713 duration")));
  PipelineConfig config;
  config.quality.min_duration_sec = strict.findings.firstFatal()->cure->value;
  const Diagnosis lowered = diagnose(digest, config, 2);
  EXPECT_TRUE(lowered.isFit());
  EXPECT_THAT(lowered.findings.warnings(), Contains(HasSubstr("lowered")));
}

// The good log with other rates of its two sensors.
LogDigest digestWithPeriods(int64_t camera_ms, int64_t lidar_ms, int64_t seconds = 40) {
  LogDigest digest = goodDigest(seconds);
  digest.survey.topics.clear();
  digest.sensor_stamps.clear();
  addTopic(digest, "/camera/front/image_raw", "sensor_msgs/msg/Image", "camera_front", camera_ms,
           seconds);
  addTopic(digest, "/lidar/top/points", "sensor_msgs/msg/PointCloud2", "lidar_top", lidar_ms,
           seconds);
  return digest;
}

TEST(Doctor, ASlowSensorIsAWarningAndAVerySlowOneFatalUnlessTheGateIsLowered) {
  LogDigest slow = digestWithPeriods(103, 103);  // 9.7 Hz
  const Diagnosis warned = diagnosed(slow);
  EXPECT_TRUE(warned.isFit()) << toText(warned, slow);
  EXPECT_THAT(warned.findings.warnings(),
              Contains(HasSubstr("camera front: 9.71 Hz; 10 Hz or more are good")));
  // What is warned of is not ticked as well.
  EXPECT_THAT(toText(warned, slow), Not(HasSubstr("\u2713 camera front")));
  EXPECT_THAT(toText(warned, slow), HasSubstr("\u2022 camera front: "));
  LogDigest digest = digestWithPeriods(200, 50);
  const Diagnosis strict = diagnosed(digest);
  EXPECT_EQ(firstFatal(strict), ErrorCode::InsufficientData);
  EXPECT_THAT(toText(strict, digest), HasSubstr("\u2717 camera front: 5.00 Hz, at least 8 Hz "));
  EXPECT_THAT(toText(strict, digest), Not(HasSubstr("\u2713 camera front")));
  PipelineConfig config;
  config.quality.min_rate_hz = 4;
  EXPECT_TRUE(diagnose(digest, config, 2).isFit());
}

TEST(Doctor, ASlowLidarThatNoCameraWaitsForIsNoFault) {
  // Pictures are up to half a period from a scan, which is more than 50 ms.
  LogDigest digest = digestWithPeriods(97, 120);
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.isFit()) << toText(diagnosis, digest);
  EXPECT_THAT(diagnosis.findings.warnings(), Contains(HasSubstr("of a LiDAR scan")));
}

TEST(Doctor, ItsErrorNamesEveryProblemAndEveryCureAtOnce) {
  LogDigest digest = digestWithPeriods(200, 150, 6);
  const Diagnosis strict = diagnosed(digest);
  try {
    throwFatal(strict.findings, "doctor");
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().details.json()["problems"].size(), 3u);
    EXPECT_THAT(error.report().message, HasSubstr("duration: 6.000 s"));
    EXPECT_THAT(error.report().message, HasSubstr("camera front: 5.00 Hz"));
    EXPECT_THAT(error.report().message, HasSubstr("lidar top: 6.67 Hz"));
    EXPECT_THAT(error.report().suggestion, HasSubstr("--min-duration 6 --min-rate 5"));
  }
  PipelineConfig config;
  config.quality.min_duration_sec = 6;
  config.quality.min_rate_hz = 5;
  EXPECT_TRUE(diagnose(digest, config, 2).isFit());
}

TEST(Doctor, MissingTopicsHaveTheirErrors) {
  LogDigest no_camera = goodDigest();
  no_camera.cameras.clear();
  EXPECT_EQ(firstFatal(diagnosed(no_camera)), ErrorCode::TopicNotFound);
  LogDigest no_lidar = goodDigest();
  no_lidar.lidars.clear();
  EXPECT_EQ(firstFatal(diagnosed(no_lidar)), ErrorCode::TopicNotFound);
  LogDigest no_info = goodDigest();
  no_info.camera_infos.clear();
  EXPECT_EQ(firstFatal(diagnosed(no_info)), ErrorCode::CameraInfoMissing);
  LogDigest no_pose = goodDigest();
  no_pose.poses.clear();
  EXPECT_EQ(firstFatal(diagnosed(no_pose)), ErrorCode::InsufficientData);  // TF does not move
}

TEST(Doctor, AnExplicitMappingWinsAndMustExist) {
  LogDigest digest = goodDigest();
  PipelineConfig config;
  config.topics.cameras = {{"forward", "/camera/front/image_raw"}};
  EXPECT_EQ(diagnosed(digest, config).plan.cameras[0].id, "forward");
  config.topics.cameras = {{"front", "/camera/rear/image_raw"}};
  const Diagnosis missing = diagnose(digest, config, 2);
  EXPECT_EQ(firstFatal(missing), ErrorCode::TopicNotFound);
  EXPECT_THAT(missing.findings.firstFatal()->details.json()["available_topics"].dump(),
              HasSubstr("/camera/front/image_raw"));
}

TEST(Doctor, ASensorThatTfDoesNotReachIsFatal) {
  LogDigest digest = goodDigest();
  digest.survey.topics[1].frame_id = "lidar_lost";
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_EQ(firstFatal(diagnosis), ErrorCode::InsufficientData);
  EXPECT_EQ(diagnosis.findings.firstFatal()->details.text("problem"), "TF_MISSING");
}

TEST(Doctor, MountsThatDamageTookAreNotCalledUnrecorded) {
  LogDigest digest = goodDigest();
  digest.survey.topics[1].frame_id = "lidar_lost";
  TopicSurvey mounts{.name = "/tf_static", .type = "tf2_msgs/msg/TFMessage", .lost = 1};
  digest.survey.topics.push_back(mounts);
  digest.survey.damage.push_back({"drive.mcap", 100, 5000, "a chunk's CRC is wrong"});
  const Diagnosis diagnosis = diagnosed(digest);
  const LogFinding* fatal = diagnosis.findings.firstFatal();
  EXPECT_THAT(fatal->message, HasSubstr("the mounts were in the damaged part of the log"));
  EXPECT_THAT(fatal->suggestion, HasSubstr("--extrinsics"));
  EXPECT_THAT(fatal->suggestion, Not(HasSubstr("record /tf_static")));
}

TEST(Doctor, TopicsInOtherEncodingsAreNamed) {
  LogDigest digest = goodDigest();
  digest.survey.topics.push_back(
      {.name = "/cloud", .type = "foxglove.PointCloud", .encoding = "protobuf"});
  EXPECT_THAT(diagnosed(digest).findings.warnings(),
              Contains(HasSubstr("encoded as protobuf are not read, only cdr is: /cloud")));
}

TEST(Doctor, ALoopInTfIsNamed) {
  LogDigest digest = goodDigest();
  addMount(digest.tf, "a", "b");
  addMount(digest.tf, "b", "a");
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.isFit());  // nothing that is needed is in the loop
  EXPECT_THAT(diagnosis.findings.warnings(), Contains(HasSubstr("a -> b -> a")));
}

TEST(Doctor, AnImpossibleLensIsFatal) {
  LogDigest zero = goodDigest();
  zero.camera_infos["/camera/front/camera_info"].first.k[0] = 0;
  EXPECT_EQ(firstFatal(diagnosed(zero)), ErrorCode::InvalidCalibration);
  LogDigest cropped = goodDigest();
  cropped.cameras["/camera/front/image_raw"].height = 300;
  EXPECT_EQ(firstFatal(diagnosed(cropped)), ErrorCode::InvalidCalibration);
}

TEST(Doctor, ACameraThatCannotBeDecodedIsLeftOut) {
  LogDigest digest = goodDigest();
  addTopic(digest, "/camera/rear/image_raw", "sensor_msgs/msg/Image", "camera_front", 80, 40);
  digest.cameras["/camera/rear/image_raw"] = {.problem = "encoding 'odd' is not known"};
  const Diagnosis one = diagnosed(digest);
  EXPECT_TRUE(one.isFit());
  EXPECT_EQ(one.plan.cameras.size(), 1u);
  EXPECT_THAT(one.findings.warnings(), Contains(HasSubstr("'odd'")));
  digest.cameras.erase("/camera/front/image_raw");
  EXPECT_EQ(firstFatal(diagnose(digest, {}, 2)), ErrorCode::InsufficientData);
}

TEST(Doctor, GapsJumpsAndLateSensorsAreCountedWarnings) {
  LogDigest digest = goodDigest();
  PoseTopic& odom = digest.poses["/odom"];
  odom.stamps.erase(odom.stamps.begin() + 1000, odom.stamps.begin() + 1300);  // three seconds
  odom.frame_from_child.erase(odom.frame_from_child.begin() + 1000,
                              odom.frame_from_child.begin() + 1300);
  auto& lidar = digest.sensor_stamps["/lidar/top/points"];
  lidar[20].stamp.ns += 3'600'000 * kMs;
  digest.survey.topics[0].first.ns += 5000 * kMs;
  const Diagnosis diagnosis = diagnosed(digest);
  EXPECT_TRUE(diagnosis.isFit()) << toText(diagnosis, digest);
  const auto warnings = diagnosis.findings.warnings();
  EXPECT_THAT(warnings, Contains(HasSubstr("1 gaps longer than 1 s")));
  EXPECT_THAT(warnings, Contains(HasSubstr("without ego pose")));
  EXPECT_THAT(warnings, Contains(HasSubstr("stamps that jump")));
  EXPECT_THAT(warnings, Contains(HasSubstr("starts 5.0 s after")));
  EXPECT_EQ(diagnosis.frames.at("/lidar/top/points").clock_jumps, 1u);
}

TEST(Doctor, CamerasFarFromAnyScanAreFatal) {
  LogDigest digest = goodDigest();
  PipelineConfig config;
  config.quality.max_sync_offset_sec = 0.001;
  EXPECT_EQ(firstFatal(diagnosed(digest, config)), ErrorCode::InsufficientData);
}

TEST(SensorIds, ComeFromTopicsAndFrames) {
  EXPECT_EQ(sensorIdFor("/camera/CAM_FRONT/image_raw/compressed", "", "front"), "front");
  EXPECT_EQ(sensorIdFor("/sensing/lidar/top/pointcloud_raw_ex", "", "top"), "top");
  EXPECT_EQ(sensorIdFor("/lidar/LIDAR_TOP/points", "", "top"), "top");
  EXPECT_EQ(sensorIdFor("/camera/image_02/image_raw", "", "front"), "image_02");
  EXPECT_EQ(sensorIdFor("/points", "lidar_rear", "top"), "rear");
  EXPECT_EQ(sensorIdFor("/points", "", "top"), "top");
  EXPECT_EQ(sensorIdFor("/image_raw", "camera_left_optical_frame", "front"), "left");
}

}  // namespace
}  // namespace gs_builder
