// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/topic_table.hpp"

#include <set>

#include <gmock/gmock.h>

#include "gs/core/file.hpp"
#include "gs/formats/cdr.hpp"
#include "gs_sim/autoware_topics.hpp"
#include "gs_sim/testing/sample_steps.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

using ::testing::ElementsAre;

const FrameNames kFrames{"map", "odom", "base_link"};

std::vector<std::string> namesOf(const TopicTable& table,
                                 const std::vector<StepMessage>& messages) {
  std::vector<std::string> names;
  for (const StepMessage& message : messages) names.push_back(table.topics()[message.topic].name);
  return names;
}

std::vector<std::byte> bytesOf(const StepMessage& message) {
  std::vector<std::byte> bytes;
  (*message.encode)(bytes);
  return bytes;
}

TEST(TopicTable, PublishesEveryTopicOfTheContract) {
  const TopicTable table = makeSampleTable();
  EXPECT_THAT(namesOf(table, table.saidOnce({1})), ElementsAre("/tf_static", "/sim/world_info"));
  const PublishedStep first = published(table, makeSampleStep(0));
  EXPECT_THAT(namesOf(table, first.messages),
              ElementsAre("/clock", "/tf", "/odom", "/vehicle/state", "/sim/status",
                          "/camera/front/image_raw", "/camera/front/camera_info",
                          "/camera/front/image_raw/compressed", "/lidar/top/points"));
  EXPECT_THAT(namesOf(table, published(table, makeSampleStep(1)).messages),
              ElementsAre("/clock", "/tf", "/odom", "/vehicle/state"));
  EXPECT_THAT(namesOf(table, table.messagesOf(first.step, TopicWhen::WithStatus)),
              ElementsAre("/sim/status"));
  EXPECT_EQ(bytesOf(first.messages[2]), gs::encodeCdr(odometryMessage(*first.step, kFrames)));
  EXPECT_EQ(bytesOf(first.messages[8]), gs::encodeCdr(cloudMessage(makeSampleScan(0), {})));
  for (const StepMessage& message : first.messages)
    EXPECT_EQ(message.stamp, first.step->info.stamp);
}

TEST(TopicTable, HasTheDepthsOfTheContract) {
  std::map<std::string, std::pair<int, bool>> offered;
  const TopicTable table = makeSampleTable();
  for (const Topic& topic : table.topics())
    offered[topic.name] = {topic.qos.depth, topic.qos.is_latched};
  const std::map<std::string, std::pair<int, bool>> contract = {
      {"/clock", {1, false}},
      {"/tf", {100, false}},
      {"/tf_static", {100, true}},
      {"/odom", {10, false}},
      {"/vehicle/state", {10, false}},
      {"/sim/status", {10, false}},
      {"/sim/world_info", {1, true}},
      {"/camera/front/image_raw", {5, false}},
      {"/camera/front/camera_info", {5, false}},
      {"/lidar/top/points", {5, false}}};
  for (const auto& [name, qos] : contract) {
    ASSERT_TRUE(offered.contains(name)) << name;
    EXPECT_EQ(offered.at(name), qos) << name;
  }
}

// One sensor of each kind, called <id>.
std::vector<SensorDescription> oneOfEachKind() {
  WorldData world{"/w", gs::makeMinimalBundle(), {}};
  auto& system = world.bundle.metadata.coordinate_system;
  system.origin_lat = system.origin_lon = system.origin_alt = 1;
  gs::Calibration& all = world.bundle.calibration;
  const auto rename = [](auto& section) {
    auto node = section.extract(section.begin());
    node.key() = "<id>";
    section.insert(std::move(node));
  };
  rename(all.cameras);
  rename(all.lidars);
  all.imus["<id>"].frame_id = "imu";
  all.gnss["<id>"].frame_id = "gnss";
  all.wheel_odometry["<id>"].frame_id = "wheels";
  std::vector<SensorDescription> sensors;
  for (const auto& sensor : createSensors(world, {}).sensors)
    sensors.push_back(sensor->description());
  return sensors;
}

TEST(TopicTable, TheDocumentsListEveryTopic) {
  const std::string document = gs::readTextFile(GS_DOCS_DIR "/interfaces/ros2.md", 1 << 20);
  const auto world =
      std::make_shared<const WorldData>(WorldData{"/w", gs::makeMinimalBundle(), {}});
  const TopicTable table(world, kFrames, oneOfEachKind());
  const auto vehicle = std::make_shared<const AutowareVehicle>();
  for (const std::string& text :
       {toMarkdown(table.topics()), toMarkdown(autowareTopics(kFrames, vehicle))})
    EXPECT_NE(document.find(text), document.npos) << "docs/interfaces/ros2.md lacks\n" << text;
}

TEST(TopicTable, NamesEachTopicOnce) {
  std::set<std::string> names;
  const auto vehicle = std::make_shared<const AutowareVehicle>();
  const TopicTable table = makeSampleTable(autowareTopics(kFrames, vehicle));
  for (const Topic& topic : table.topics())
    EXPECT_TRUE(names.insert(topic.name).second) << topic.name;
  EXPECT_TRUE(names.contains("/localization/kinematic_state"));
}

TEST(TopicTable, KeepsWhatItWasGivenWhenBytesAreMadeLater) {
  const TopicTable table = makeSampleTable();
  std::vector<StepMessage> messages = published(table, makeSampleStep(0)).messages;
  // The step itself is gone; its messages are not.
  EXPECT_EQ(bytesOf(messages[1]), gs::encodeCdr(tfMessage(makeSampleStep(0), kFrames)));
  EXPECT_EQ(bytesOf(messages[4]), gs::encodeCdr(statusMessage(makeSampleStep(0).info,
                                                              *makeSampleStep(0).status, kFrames)));
}

TEST(AutowareTopics, ReportWhatAutowareSaidAndWhereTheVehicleIs) {
  const auto vehicle = std::make_shared<AutowareVehicle>();
  const TopicTable table = makeSampleTable(autowareTopics(kFrames, vehicle));
  vehicle->turn_indicators = 2;
  const PublishedStep step = published(table, makeSampleStep(3));
  vehicle->turn_indicators = 3;  // later: not of this step
  int seen = 0;
  for (const StepMessage& message : step.messages) {
    const std::string& name = table.topics()[message.topic].name;
    if (name == "/vehicle/status/turn_indicators_status") {
      ++seen;
      EXPECT_EQ(gs::decodeCdr<gs::msgs::TurnIndicatorsReport>(bytesOf(message), name).report, 2);
    } else if (name == "/localization/kinematic_state") {
      ++seen;
      const auto odometry = gs::decodeCdr<gs::msgs::Odometry>(bytesOf(message), name);
      EXPECT_EQ(odometry.header.frame_id, "map");
      EXPECT_EQ(odometry.pose.pose.position.x, step.step->ego.pose.x);
    }
  }
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace gs_sim
