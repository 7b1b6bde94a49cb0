// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/log_survey.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/png.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"

namespace gs_builder {
namespace {

using ::testing::HasSubstr;

template <typename Message>
uint16_t addTopic(gs::McapWriter& log, const std::string& topic) {
  const uint16_t schema = log.addSchema(Message::kRosType, "ros2msg", gs::rosSchemaText<Message>());
  return log.addChannel(schema, topic, "cdr");
}

gs::msgs::Header headerAt(int64_t ns, const std::string& frame) {
  const gs::SecNanosec time = gs::toSecNanosec({ns});
  return {{time.sec, time.nanosec}, frame};
}

template <typename Message>
void write(gs::McapWriter& log, uint16_t channel, int64_t ns, const Message& message) {
  const std::vector<std::byte> bytes = gs::encodeCdr(message);
  log.write({.channel_id = channel, .log_time = {ns}, .publish_time = {ns}, .data = bytes});
}

// Two seconds: a camera at 10 Hz that misses two frames, one cloud, odometry, a TF tree.
void writeSmallLog(const std::filesystem::path& path) {
  gs::McapWriter log(path);
  const uint16_t tf = addTopic<gs::msgs::TFMessage>(log, "/tf_static");
  const uint16_t image = addTopic<gs::msgs::Image>(log, "/camera/front/image_raw");
  const uint16_t info = addTopic<gs::msgs::CameraInfo>(log, "/camera/front/camera_info");
  const uint16_t cloud = addTopic<gs::msgs::PointCloud2>(log, "/points");
  const uint16_t odom = addTopic<gs::msgs::Odometry>(log, "/odom");
  gs::msgs::TransformStamped transform;
  transform.header.frame_id = "base_link";
  transform.child_frame_id = "camera_front";
  write(log, tf, 0, gs::msgs::TFMessage{{transform}});
  for (int64_t i = 0; i < 20; ++i) {
    const int64_t ns = i * 100'000'000;
    gs::msgs::Odometry odometry;
    odometry.header = headerAt(ns, "odom");
    write(log, odom, ns, odometry);
    if (i == 7 || i == 8) continue;
    gs::msgs::Image picture;
    picture.header = headerAt(ns, "camera_front");
    picture.width = 4;
    picture.height = 2;
    picture.encoding = "rgb8";
    write(log, image, ns, picture);
    gs::msgs::CameraInfo lens;
    lens.header = picture.header;
    lens.width = 8;
    lens.height = 4;
    lens.distortion_model = "plumb_bob";
    lens.k[0] = 5;
    write(log, info, ns, lens);
  }
  gs::msgs::PointCloud2 points;
  points.header = headerAt(0, "lidar_top");
  points.width = 7;
  points.height = 1;
  points.point_fields = {{"x", 0, 7, 1}, {"ring", 4, 4, 1}};
  write(log, cloud, 1'900'000'000, points);
  log.close();
}

TEST(LogSurvey, FindsSensorsRatesGapsAndFrames) {
  const gs::testing::TempDir dir;
  writeSmallLog(dir / "a.mcap");
  const LogSurvey survey = surveyLog(dir / "a.mcap");
  ASSERT_EQ(survey.topics.size(), 5u);
  const TopicSurvey& image = survey.topics[1];
  EXPECT_EQ(image.name, "/camera/front/image_raw");
  EXPECT_EQ(image.count, 18u);
  EXPECT_NEAR(image.periods.rateHz(), 17 / 1.9, 1e-9);
  EXPECT_NEAR(image.periods.steadyRateHz(), 10, 0.2);
  EXPECT_EQ(image.periods.gaps(), 1u);
  EXPECT_EQ(image.frame_id, "camera_front");
  ASSERT_EQ(survey.cameras.size(), 1u);
  EXPECT_EQ(survey.cameras[0].info_topic, "/camera/front/camera_info");
  EXPECT_EQ(survey.cameras[0].fx, 5);
  ASSERT_EQ(survey.lidars.size(), 1u);
  EXPECT_THAT(survey.lidars[0].fields, ::testing::ElementsAre("x", "ring"));
  EXPECT_THAT(survey.poses, ::testing::ElementsAre("/odom"));
  ASSERT_EQ(survey.frames.size(), 1u);
  EXPECT_TRUE(survey.frames[0].is_static);
  EXPECT_TRUE(survey.damage.empty());
}

TEST(LogSurvey, KnowsTheSizeOfJpegAndPngPictures) {
  const gs::testing::TempDir dir;
  const gs::Image8 picture(12, 7, 3);
  const auto jpeg = gs::encodeJpeg(picture);
  const std::string png = gs::encodePng(picture);
  {
    gs::McapWriter log(dir / "a.mcap");
    for (const gs::Bytes bytes : {gs::Bytes(jpeg), gs::asBytes(png), gs::asBytes("nothing")}) {
      const std::string name = std::to_string(bytes.size());
      const uint16_t channel = addTopic<gs::msgs::CompressedImage>(log, "/" + name);
      gs::msgs::CompressedImage image;
      for (const std::byte byte : bytes) image.data.push_back(static_cast<uint8_t>(byte));
      write(log, channel, 0, image);
    }
    log.close();
  }
  std::vector<std::pair<int, int>> sizes;
  for (const CameraSurvey& camera : surveyLog(dir / "a.mcap").cameras)
    sizes.emplace_back(camera.width, camera.height);
  EXPECT_THAT(sizes,
              ::testing::UnorderedElementsAre(std::pair(12, 7), std::pair(12, 7), std::pair(0, 0)));
}

TEST(LogSurvey, SaysItToPeople) {
  const gs::testing::TempDir dir;
  writeSmallLog(dir / "a.mcap");
  const std::string text = toText(surveyLog(dir / "a.mcap"));
  EXPECT_THAT(text, HasSubstr("1 gap, the longest 0.300 s at 0.60 s"));
  EXPECT_THAT(text, HasSubstr("but camera_info is for 8 x 4"));
  EXPECT_THAT(text, HasSubstr("7 points, fields x ring, frame lidar_top (NOT in the TF tree)"));
  EXPECT_THAT(text, HasSubstr("rgb8, frame camera_front, plumb_bob"));
  EXPECT_THAT(text, HasSubstr("camera_front (static, 1x)"));
}

TEST(LogSurvey, GoesOnBehindDamageAndReportsIt) {
  const gs::testing::TempDir dir;
  writeSmallLog(dir / "a.mcap");
  std::filesystem::resize_file(dir / "a.mcap", std::filesystem::file_size(dir / "a.mcap") - 40);
  const LogSurvey survey = surveyLog(dir / "a.mcap");
  EXPECT_FALSE(survey.damage.empty());
  EXPECT_EQ(survey.message_count, 20u + 18u + 18u + 2u);  // only the summary was lost
}

TEST(LogSurvey, SaysWhatIsNotThereAndWhatIsNotRead) {
  const gs::testing::TempDir dir;
  {
    gs::McapWriter log(dir / "a.mcap");
    addTopic<gs::msgs::Odometry>(log, "/silent");
    const uint16_t schema = log.addSchema("foxglove.PointCloud", "protobuf", "");
    const uint16_t cloud = log.addChannel(schema, "/cloud", "protobuf");
    for (const int64_t ns : {0, 150'000, 300'000, 450'000, 600'000, 750'000})
      log.write({.channel_id = cloud, .log_time = {ns}, .publish_time = {ns}, .data = {}});
    log.close();
  }
  const LogSurvey survey = surveyLog(dir / "a.mcap");
  const std::string text = toText(survey);
  EXPECT_THAT(text, HasSubstr(" KiB, 1 file"));
  EXPECT_THAT(text, HasSubstr("encoded as protobuf, which is not read"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("Hz")));  // six at once have no rate
  const auto json = toJson(survey);
  EXPECT_EQ(json["topics"][1]["name"], "/silent");
  EXPECT_TRUE(json["topics"][1]["first_sec"].is_null());
  EXPECT_EQ(json["topics"][0]["first_sec"], 0);
  EXPECT_THAT(text, HasSubstr("ego pose   NONE: neither odometry nor moving TF"));
}

TEST(LogSurvey, CountsWhatDamageHides) {
  const gs::testing::TempDir dir;
  writeSmallLog(dir / "a.mcap");
  std::string bytes = gs::readTextFile(dir / "a.mcap", 1 << 20);
  const size_t chunk = bytes.find("zstd");
  ASSERT_NE(chunk, bytes.npos);
  bytes[chunk + 40] = static_cast<char>(bytes[chunk + 40] ^ 0xFF);  // in what is compressed
  gs::writeFileAtomically(dir / "a.mcap", bytes);
  const LogSurvey survey = surveyLog(dir / "a.mcap");
  ASSERT_FALSE(survey.damage.empty());
  EXPECT_EQ(survey.topics.back().name, "/tf_static");
  EXPECT_EQ(survey.topics.back().lost, 1u);
  EXPECT_THAT(toText(survey), HasSubstr("1 lost in damage"));
}

TEST(LogSurvey, NoLogIsAReadError) {
  const gs::testing::TempDir dir;
  try {
    surveyLog(dir / "absent.mcap");
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::McapReadError);
  }
}

}  // namespace
}  // namespace gs_builder
