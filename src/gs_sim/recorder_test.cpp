// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/recorder.hpp"

#include <map>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/rosbag2_metadata.hpp"
#include "gs_sim/driver.hpp"
#include "gs_sim/testing/sample_steps.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

namespace fs = std::filesystem;
const FrameNames kFrames{"map", "odom", "base_link"};

fs::path recordSteps(const fs::path& path, int64_t steps) {
  const TopicTable table = makeSampleTable();
  Recorder recorder(path, table.topics(), kFrames, {.about = {{"world", "minimal_test"}}});
  recorder.record(table.saidOnce(sampleStamp(0)));
  for (int64_t i = 0; i < steps; ++i) {
    StepOutput step = makeSampleStep(i);
    if (i == 3) step.control = ControlInput{.steering_angle = 0.1, .speed = 6};
    recorder.record(published(table, std::move(step)));
  }
  recorder.close();
  return recorder.file();
}

TEST(Recorder, KeepsEverythingPublishedInOrder) {
  const gs::testing::TempDir dir;
  const fs::path file = recordSteps(dir / "run.mcap", 21);
  const gs::LogReader log(file);
  std::map<std::string, uint64_t> counts;
  for (const gs::LogTopic& topic : log.summary().topics) {
    counts[topic.name] = topic.message_count;
    EXPECT_EQ(topic.schema_encoding, "ros2msg");
    EXPECT_EQ(topic.message_encoding, "cdr");
  }
  EXPECT_THAT(counts,
              testing::UnorderedElementsAre(
                  testing::Pair("/clock", 21), testing::Pair("/tf", 21),
                  testing::Pair("/tf_static", 1), testing::Pair("/odom", 21),
                  testing::Pair("/vehicle/state", 21), testing::Pair("/sim/status", 3),
                  testing::Pair("/sim/world_info", 1), testing::Pair("/camera/front/image_raw", 3),
                  testing::Pair("/camera/front/camera_info", 3),
                  testing::Pair("/lidar/top/points", 3), testing::Pair("/vehicle/control_cmd", 1)));
  gs::Stamp last;
  uint64_t odometry = 0;
  log.read({}, [&](const gs::LogMessage& message) {
    EXPECT_LE(last, message.log_time);
    last = message.log_time;
    if (message.topic.name != "/odom") return;
    EXPECT_EQ(message.sequence, odometry);
    const auto decoded = gs::decodeCdr<gs::msgs::Odometry>(message.data, "odom");
    EXPECT_EQ(decoded, odometryMessage(makeSampleStep(static_cast<int64_t>(odometry++)), kFrames));
  });
  EXPECT_EQ(last, sampleStamp(20));
  ASSERT_EQ(log.summary().metadata.size(), 1u);
  EXPECT_EQ(log.summary().metadata[0].entries.at("world"), "minimal_test");
  EXPECT_EQ(log.summary().metadata[0].entries.at("steps"), "21");
}

TEST(Recorder, KeepsCommandsAsTheTypeTheyCameInAndItsOwnBesideThem) {
  const gs::testing::TempDir dir;
  const TopicTable table = makeSampleTable();
  const auto commands = commandTopics(ControlMode::Twist, Interface::Autoware);
  const auto twist = gs::encodeCdr(gs::msgs::TwistStamped{.header = {.frame_id = "sent"}});
  const auto autoware = gs::encodeCdr(gs::msgs::Control{.stamp = {7, 8}});
  Recorder recorder(dir / "run.mcap", table.topics(), kFrames,
                    {.commands = commands, .has_driver = false});
  for (int64_t i = 0; i < 3; ++i) {
    StepOutput step = makeSampleStep(i);
    if (i == 0) step.control = findControlInput(commands[1].type.type.name, twist, {}, nullptr);
    if (i == 1) step.control = findControlInput(commands[0].type.type.name, autoware, {}, nullptr);
    if (i == 2) step.control = ControlInput{.speed = 6};
    ASSERT_TRUE(step.control);
    recorder.record(published(table, std::move(step)));
  }
  recorder.close();
  std::map<std::string, std::pair<std::string, std::vector<std::byte>>> found;
  gs::LogReader(recorder.file()).read({}, [&](const gs::LogMessage& message) {
    found[message.topic.name] = {message.topic.type, {message.data.begin(), message.data.end()}};
  });
  EXPECT_EQ(found["/vehicle/control_cmd"],
            std::pair(std::string("geometry_msgs/msg/TwistStamped"), twist));
  EXPECT_EQ(found["/control/command/control_cmd"],
            std::pair(std::string("autoware_control_msgs/msg/Control"), autoware));
  EXPECT_EQ(found["/sim/driver_cmd"].first, "gs_sim_msgs/msg/VehicleControlCmd");
}

TEST(Recorder, ARunThatSeveralDroveInTurnCanBeDrivenAgain) {
  const gs::testing::TempDir dir;
  const TopicTable table = makeSampleTable();
  const auto commands = commandTopics(ControlMode::Ackermann, Interface::Standard);
  const auto sent = gs::encodeCdr(toAckermann({.speed = 3}, "base_link"));
  Recorder recorder(dir / "run.mcap", table.topics(), kFrames, {.commands = commands});
  for (int64_t i = 0; i < 4; ++i) {
    StepOutput step = makeSampleStep(i);
    step.control = ControlInput{.speed = 6};  // the script
    if (i == 2) step.control = findControlInput(commands[0].type.type.name, sent, {}, nullptr);
    recorder.record(published(table, std::move(step)));
  }
  recorder.close();
  const auto replay = createReplayDriver(recorder.file(), {}, sampleStamp(0));
  for (int64_t i = 0; i < 4; ++i) {
    const auto command = replay->commandAt(sampleStamp(i), {});
    ASSERT_TRUE(command) << i;
    EXPECT_EQ(command->speed, i == 2 ? 3 : 6) << i;
  }
}

TEST(Recorder, TheLogOfAScriptIsTheSameWhetherSomebodyCouldHaveTakenOverOrNot) {
  const gs::testing::TempDir dir;
  const auto record = [&](const std::string& name, const RecorderOptions& options) {
    const TopicTable table = makeSampleTable();
    Recorder recorder(dir / name / "run.mcap", table.topics(), kFrames, options);
    for (int64_t i = 0; i < 3; ++i) {
      StepOutput step = makeSampleStep(i);
      step.control = ControlInput{.speed = 6};
      recorder.record(published(table, std::move(step)));
    }
    recorder.close();
    return gs::readTextFile(recorder.file(), 1 << 26);
  };
  EXPECT_EQ(
      record("alone", {}),
      record("watched", {.commands = commandTopics(ControlMode::Ackermann, Interface::Standard)}));
}

TEST(Recorder, TheSameRunGivesTheSameBytes) {
  const gs::testing::TempDir dir;
  const fs::path one = recordSteps(dir / "one/run.mcap", 15);
  const fs::path two = recordSteps(dir / "two/run.mcap", 15);
  EXPECT_EQ(gs::readTextFile(one, 1 << 26), gs::readTextFile(two, 1 << 26));
  EXPECT_EQ(gs::readTextFile(one.parent_path() / "metadata.yaml", 1 << 20),
            gs::readTextFile(two.parent_path() / "metadata.yaml", 1 << 20));
}

TEST(Recorder, WritesABagThatRosbag2Plays) {
  const gs::testing::TempDir dir;
  const fs::path file = recordSteps(dir / "run", 12);
  EXPECT_EQ(file, dir / "run" / "run_0.mcap");
  const auto metadata = gs::readRosbag2Metadata(dir / "run" / "metadata.yaml");
  EXPECT_THAT(metadata.relative_file_paths, testing::ElementsAre("run_0.mcap"));
  EXPECT_EQ(metadata.starting_time, sampleStamp(0));
  EXPECT_EQ(metadata.duration.ns, 110'000'000);
  EXPECT_EQ(metadata.message_count, gs::LogReader(file).summary().message_count);
  for (const gs::Rosbag2Topic& topic : metadata.topics) {
    const bool is_latched = topic.name == "/tf_static" || topic.name == "/sim/world_info";
    EXPECT_THAT(topic.offered_qos_profiles,
                testing::HasSubstr(is_latched ? "durability: 1\n" : "durability: 2\n"));
    EXPECT_THAT(topic.offered_qos_profiles, testing::HasSubstr("reliability: 1\n"));
  }
  EXPECT_EQ(gs::LogReader(dir / "run").summary().message_count, metadata.message_count);
}

TEST(Recorder, LeavesTheMetadataOfAnotherLogAlone) {
  const gs::testing::TempDir dir;
  recordSteps(dir / "first.mcap", 2);
  const std::string before = gs::readTextFile(dir / "metadata.yaml", 1 << 20);
  recordSteps(dir / "second.mcap", 3);
  EXPECT_EQ(gs::readTextFile(dir / "metadata.yaml", 1 << 20), before);
  recordSteps(dir / "first.mcap", 3);
  EXPECT_NE(gs::readTextFile(dir / "metadata.yaml", 1 << 20), before) << "its own is renewed";
}

TEST(Recorder, ARunThatWasCutOffCanBeRead) {
  const gs::testing::TempDir dir;
  {
    const TopicTable table = makeSampleTable();
    Recorder recorder(dir / "run.mcap", table.topics(), kFrames);
    for (int64_t i = 0; i < 5; ++i) {
      StepOutput step = makeSampleStep(0);
      changeValues<CameraFrame>(
          step, [](CameraFrame& frame) { frame.image = gs::Image8(1024, 1024, 3); });
      recorder.record(published(table, std::move(step)));
    }
  }
  EXPECT_FALSE(fs::exists(dir / "metadata.yaml"));
  EXPECT_GE(gs::LogReader(dir / "run.mcap").summary().message_count, 8u);
}

TEST(Recorder, SaysWhenItCannotWrite) {
  const gs::testing::TempDir dir;
  gs::writeFile(dir / "file", std::string_view("x"));
  EXPECT_THROW(recordSteps(dir / "file/run.mcap", 1), gs::Error);
}

}  // namespace
}  // namespace gs_sim
