// SPDX-License-Identifier: Apache-2.0
// A peer of another vendor judges the bridge: Cyclone DDS, with types made from the ROS
// definitions, in another process. Every field is compared with the value that the step was made
// of.
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include <gmock/gmock.h>

#include "gs/core/time.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/rmw_dds_common.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "gs_sim/testing/fake_host.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/cyclone.hpp"
#include "peers/ros2/dialect.hpp"

namespace peers {
namespace {

using gs_ros2::testing::eventually;
using gs_ros2::testing::kPatience;
using gs_sim::testing::fakeStep;
using gs_sim::testing::kFakeDt;
using gs_sim::testing::kFakeStart;

#define GS_TYPE(package, name) package##_msg_dds__##name##_
#define GS_READER(package, name) CycloneReader<GS_TYPE(package, name)>
#define GS_DESCRIPTOR(package, name) package##_msg_dds__##name##__desc

uint32_t domain() { return gs_ros2::testing::loopback().domain; }

int64_t nanoseconds(const builtin_interfaces_msg_dds__Time_& time) {
  return gs::fromSecNanosec({time.sec, time.nanosec}).ns;
}

// The number of the step that a stamp belongs to; a stamp between two steps is a failure.
int64_t stepOf(const builtin_interfaces_msg_dds__Time_& time) {
  const int64_t since = nanoseconds(time) - kFakeStart.ns;
  EXPECT_EQ(since % kFakeDt.ns, 0);
  return since / kFakeDt.ns;
}

// Counts messages per topic and checks that their steps rise by the topic's period.
struct Rate {
  int64_t first = -1, last = -1, count = 0;

  void see(int64_t step, int period) {
    EXPECT_EQ(step % period, 0);
    if (last >= 0) {
      EXPECT_EQ(step, last + period) << "a message was lost or came twice";
    }
    if (first < 0) first = step;
    last = step;
    ++count;
  }
};

void expectPose(const geometry_msgs_msg_dds__Pose_& pose, const gs_sim::EgoPose& truth) {
  EXPECT_EQ(pose.position.x, truth.x);
  EXPECT_EQ(pose.position.y, truth.y);
  EXPECT_EQ(pose.position.z, truth.z);
  EXPECT_EQ(pose.orientation.z, truth.qz);
  EXPECT_EQ(pose.orientation.w, truth.qw);
}

class CyclonePeer : public ::testing::Test {
 protected:
  CyclonePeer()
      : node({GS_SYNTHETIC_NODE, std::to_string(domain())}, {{"ROS_DISTRO", dialect().distro}}),
        participant(domain()) {}

  void SetUp() override { ASSERT_TRUE(node.waitForLine("ready", kPatience)); }
  void TearDown() override { EXPECT_EQ(node.finish(), 0); }

  ChildProcess node;
  CycloneParticipant participant;
};

TEST_F(CyclonePeer, ReadsEveryTopicWithEqualFieldsAndRightRates) {
  // What standard consumers ask for: `ros2 topic hz` and clocks best effort, all others reliable.
  GS_READER(rosgraph_msgs, Clock)
  clock(participant, GS_DESCRIPTOR(rosgraph_msgs, Clock), "rt/clock", {});
  GS_READER(tf2_msgs, TFMessage) tf(participant, GS_DESCRIPTOR(tf2_msgs, TFMessage), "rt/tf", {});
  GS_READER(nav_msgs, Odometry) odom(participant, GS_DESCRIPTOR(nav_msgs, Odometry), "rt/odom", {});
  GS_READER(gs_sim_msgs, VehicleState)
  state(participant, GS_DESCRIPTOR(gs_sim_msgs, VehicleState), "rt/vehicle/state", {});
  GS_READER(gs_sim_msgs, SimulationStatus)
  status(participant, GS_DESCRIPTOR(gs_sim_msgs, SimulationStatus), "rt/sim/status", {});
  GS_READER(sensor_msgs, Image)
  image(participant, GS_DESCRIPTOR(sensor_msgs, Image), "rt/camera/front/image_raw", {});
  GS_READER(sensor_msgs, CameraInfo)
  info(participant, GS_DESCRIPTOR(sensor_msgs, CameraInfo), "rt/camera/front/camera_info", {});
  GS_READER(sensor_msgs, PointCloud2)
  cloud(participant, GS_DESCRIPTOR(sensor_msgs, PointCloud2), "rt/lidar/top/points", {});

  std::map<std::string, Rate> rates;
  const auto poll = [&] {
    clock.takeAll([&](const auto& m) { rates["clock"].see(stepOf(m.clock), 1); });
    tf.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.transforms._buffer[0].header.stamp);
      rates["tf"].see(k, 1);
      bool has_base = false;
      for (uint32_t i = 0; i < m.transforms._length; ++i) {
        const auto& t = m.transforms._buffer[i];
        if (std::strcmp(t.child_frame_id, "base_link") != 0) continue;
        has_base = true;
        EXPECT_STREQ(t.header.frame_id, "odom");
        EXPECT_EQ(t.transform.translation.x, fakeStep(k).ego.pose.x);
        EXPECT_EQ(t.transform.rotation.z, 0.6);
      }
      EXPECT_TRUE(has_base);
    });
    odom.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.header.stamp);
      rates["odom"].see(k, 1);
      EXPECT_STREQ(m.header.frame_id, "odom");
      EXPECT_STREQ(m.child_frame_id, "base_link");
      expectPose(m.pose.pose, fakeStep(k).ego.pose);
      EXPECT_EQ(m.twist.twist.linear.x, 5.0 + static_cast<double>(k));
      EXPECT_EQ(m.twist.twist.angular.z, 0.125);
    });
    state.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.header.stamp);
      rates["state"].see(k, 1);
      expectPose(m.pose, fakeStep(k).ego.pose);
      EXPECT_EQ(m.steering_angle, static_cast<float>(fakeStep(k).ego.steering_angle));
      EXPECT_EQ(m.wheel_speed_rr, static_cast<float>(k));
      EXPECT_EQ(m.gear, 3);
    });
    status.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.sim_time);
      rates["status"].see(k, gs_sim::testing::kStatusEvery);
      EXPECT_EQ(m.step_count, static_cast<uint64_t>(k));
      EXPECT_EQ(m.sim_dt, 0.01);
      EXPECT_EQ(m.real_time_factor, 0.75);
      EXPECT_FALSE(m.is_offroad);
      ASSERT_GE(m.warnings._length, 1u);
      EXPECT_EQ(m.warnings._buffer[0], "step " + std::to_string(k));
    });
    image.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.header.stamp);
      rates["image"].see(k, gs_sim::testing::kImageEvery);
      const gs_sim::StepOutput step = fakeStep(k);
      const gs::Image8 truth = gs_sim::valuesOf<gs_sim::CameraFrame>(step)[0]->image;
      EXPECT_STREQ(m.encoding, "rgb8");
      EXPECT_EQ(m.width, 64u);
      EXPECT_EQ(m.height, 48u);
      EXPECT_EQ(m.step, 192u);
      ASSERT_EQ(m.data._length, truth.pixels.size());
      EXPECT_EQ(std::memcmp(m.data._buffer, truth.pixels.data(), truth.pixels.size()), 0);
    });
    info.takeAll([&](const auto& m) {
      rates["info"].see(stepOf(m.header.stamp), gs_sim::testing::kImageEvery);
      EXPECT_EQ(m.width, 640u);
      EXPECT_EQ(m.k[0], 500);
      EXPECT_STREQ(m.distortion_model, "plumb_bob");
      EXPECT_EQ(m.d._length, 5u);
    });
    cloud.takeAll([&](const auto& m) {
      const int64_t k = stepOf(m.header.stamp);
      rates["cloud"].see(k, gs_sim::testing::kCloudEvery);
      EXPECT_EQ(m.height, 1u);
      EXPECT_EQ(m.width, static_cast<uint32_t>(gs_sim::testing::kCloudSize));
      EXPECT_EQ(m.row_step, m.width * m.point_step);
      ASSERT_EQ(m.fields._length, 5u);
      EXPECT_STREQ(m.fields._buffer[4].name, "ring");
      float xyzi[4];
      std::memcpy(xyzi, m.data._buffer + 7 * m.point_step, sizeof xyzi);
      EXPECT_EQ(xyzi[0], 7);
      EXPECT_EQ(xyzi[1], static_cast<float>(k));
      EXPECT_EQ(xyzi[3], 7);
    });
  };
  // Ten seconds' worth at most: until each topic has shown a second of simulated time.
  EXPECT_TRUE(eventually([&] {
    poll();
    if (HasFailure()) return true;
    if (rates.size() < 8) return false;
    for (const auto& [topic, rate] : rates)
      if (rate.last - rate.first < 100) return false;
    return true;
  }));
  for (const auto& [topic, rate] : rates)
    EXPECT_EQ(rate.count,
              1 + (rate.last - rate.first) / (topic == "image" || topic == "info"     ? 8
                                              : topic == "cloud" || topic == "status" ? 10
                                                                                      : 1))
        << topic;
}

TEST_F(CyclonePeer, MatchesEveryQosThatStandardConsumersAskFor) {
  const auto& type = GS_DESCRIPTOR(rosgraph_msgs, Clock);
  GS_READER(rosgraph_msgs, Clock)
  best_effort(participant, type, "rt/clock", {.is_reliable = false, .depth = 1}),
      reliable(participant, type, "rt/clock", {.is_reliable = true, .depth = 1});
  GS_READER(sensor_msgs, PointCloud2)
  sensor_data(participant, GS_DESCRIPTOR(sensor_msgs, PointCloud2), "rt/lidar/top/points",
              {.is_reliable = false, .depth = 5});
  bool seen[3] = {};
  EXPECT_TRUE(eventually([&] {
    seen[0] |= best_effort.takeAll([](const auto&) {});
    seen[1] |= reliable.takeAll([](const auto&) {});
    seen[2] |= sensor_data.takeAll([](const auto&) {});
    return seen[0] && seen[1] && seen[2];
  }));
}

// Under the name that both forms have on DDS.
dds_topic_descriptor_t graphDescriptor(dds_topic_descriptor_t form) {
  form.m_typename = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
  return form;
}

// The node graph, read in the only form that this distribution knows.
template <typename Message>
void expectTheNode(const CycloneParticipant& participant, const dds_topic_descriptor_t& form) {
  const std::string user_data =
      dialect().has_type_hashes
          ? "typehash=" + gs::rosTypeHash<gs::msgs::ParticipantEntitiesInfo>() + ";"
          : "";
  CycloneReader<Message> graph(participant, graphDescriptor(form), "ros_discovery_info",
                               {.is_latched = true}, user_data);
  bool is_seen = false;
  EXPECT_TRUE(eventually([&] {
    graph.takeAll([&](const Message& m) {
      if (m.node_entities_info_seq._length == 0) return;
      is_seen = true;
      const auto& entry = m.node_entities_info_seq._buffer[0];
      EXPECT_STREQ(entry.node_name, "gs_simulator");
      EXPECT_STREQ(entry.node_namespace, "/");
      EXPECT_GT(entry.writer_gid_seq._length, 20u);
      EXPECT_GT(entry.reader_gid_seq._length, 20u);
    });
    return is_seen;
  }));
}

TEST_F(CyclonePeer, ReadsTheNodeGraphInItsOwnForm) {
  if (dialect().gid_bytes == 24)
    expectTheNode<humble_msg_dds__ParticipantEntitiesInfo_>(
        participant, GS_DESCRIPTOR(humble, ParticipantEntitiesInfo));
  else
    expectTheNode<rmw_dds_common_msg_dds__ParticipantEntitiesInfo_>(
        participant, GS_DESCRIPTOR(rmw_dds_common, ParticipantEntitiesInfo));
}

TEST_F(CyclonePeer, GetsLatchedTopicsHoweverLateItComes) {
  GS_READER(rosgraph_msgs, Clock)
  clock(participant, GS_DESCRIPTOR(rosgraph_msgs, Clock), "rt/clock", {});
  ASSERT_TRUE(eventually([&] { return clock.takeAll([](const auto&) {}); }));  // it runs already
  GS_READER(tf2_msgs, TFMessage)
  tf_static(participant, GS_DESCRIPTOR(tf2_msgs, TFMessage), "rt/tf_static", {.is_latched = true});
  GS_READER(gs_sim_msgs, WorldInfo)
  world(participant, GS_DESCRIPTOR(gs_sim_msgs, WorldInfo), "rt/sim/world_info",
        {.is_latched = true});
  bool seen[2] = {};
  EXPECT_TRUE(eventually([&] {
    tf_static.takeAll([&](const auto& m) {
      seen[0] = true;
      ASSERT_EQ(m.transforms._length, 2u);
      EXPECT_STREQ(m.transforms._buffer[0].header.frame_id, "base_link");
    });
    world.takeAll([&](const auto& m) {
      seen[1] = true;
      EXPECT_STREQ(m.world_bundle_path, GS_MINIMAL_WORLD);
      ASSERT_EQ(m.available_cameras._length, 1u);
      EXPECT_STREQ(m.available_cameras._buffer[0], "front");
    });
    return seen[0] && seen[1];
  }));
}

TEST_F(CyclonePeer, ItsCommandsArriveAsSent) {
  CycloneWriter<ackermann_msgs_msg_dds__AckermannDriveStamped_> writer(
      participant, GS_DESCRIPTOR(ackermann_msgs, AckermannDriveStamped), "rt/vehicle/control_cmd",
      dialect().topic_pub);
  ASSERT_TRUE(eventually([&] { return writer.isMatched(); }));
  ackermann_msgs_msg_dds__AckermannDriveStamped_ command{};
  char frame[] = "base_link";
  command.header.stamp = {12, 34};
  command.header.frame_id = frame;
  command.drive.speed = 4.5f;
  command.drive.steering_angle = -0.25f;
  std::optional<std::string> line;
  for (int i = 0; i < 600 && !line; ++i) {  // discovery is not symmetric: say it until it is heard
    writer.write(command);
    line = node.waitForLine("control", std::chrono::milliseconds(100));
  }
  EXPECT_EQ(line, "control 4.5 -0.25 12000000034");
}

TEST_F(CyclonePeer, GarbageAndFloodsDoNoHarm) {
  // Bytes that are no command, then more commands than anybody could use.
  gs_ros2::Participant fast(gs_ros2::testing::loopback());
  const auto garbage = fast.createWriter(
      {"rt/vehicle/control_cmd", "ackermann_msgs::msg::dds_::AckermannDriveStamped_", "", {}});
  ASSERT_TRUE(eventually([&] { return garbage->readerCount() == 1; }));
  for (int i = 0; i < 200; ++i)
    garbage->writeNow(std::vector<std::byte>(static_cast<size_t>(i), std::byte{0xff}), {});
  // A type that does not belong to the topic matches nobody, and hurts nobody.
  CycloneWriter<rosgraph_msgs_msg_dds__Clock_> wrong(
      participant, GS_DESCRIPTOR(rosgraph_msgs, Clock), "rt/vehicle/control_cmd", {});
  for (int i = 0; i < 100; ++i) wrong.write({});
  CycloneWriter<rosgraph_msgs_msg_dds__Clock_> clock(
      participant, GS_DESCRIPTOR(rosgraph_msgs, Clock), "rt/odom", {});
  gs_ros2::Node flooder(fast, {.ns = "/", .name = "flooder"}, {});
  const auto flood = flooder.advertise<gs::msgs::AckermannDriveStamped>("/vehicle/control_cmd", {});
  ASSERT_TRUE(eventually([&] { return flood.hasReaders(); }));
  for (int i = 0; i < 20000; ++i) flood.publish({.drive = {.speed = 1}});

  GS_READER(nav_msgs, Odometry)
  odom(participant, GS_DESCRIPTOR(nav_msgs, Odometry), "rt/odom", {});
  int64_t steps = 0;
  EXPECT_TRUE(eventually([&] {
    odom.takeAll([&](const auto&) { ++steps; });
    return steps >= 50;
  }));
  EXPECT_FALSE(wrong.isMatched());
}

// rmw_cyclonedds puts the correlation into the payload, in every distribution.
TEST_F(CyclonePeer, ServicesAnswerItsOwnKindOfClient) {
  using Request = cyclone_srv_dds__TriggerRequest_;
  using Response = cyclone_srv_dds__TriggerResponse_;
  dds_topic_descriptor_t request_type = cyclone_srv_dds__TriggerRequest__desc;
  dds_topic_descriptor_t response_type = cyclone_srv_dds__TriggerResponse__desc;
  request_type.m_typename = "std_srvs::srv::dds_::Trigger_Request_";
  response_type.m_typename = "std_srvs::srv::dds_::Trigger_Response_";
  const PeerQos qos{.depth = 10};
  CycloneWriter<Request> requests(participant, request_type, "rq/sim/pauseRequest", qos);
  CycloneReader<Response> replies(participant, response_type, "rr/sim/pauseReply", qos);
  ASSERT_TRUE(eventually([&] { return requests.isMatched() && replies.isMatched(); }));
  for (int64_t number = 1; number <= 3; ++number) {
    requests.write({.client = 0xfeedface, .number = number});
    bool is_answered = false;
    EXPECT_TRUE(eventually([&] {
      replies.takeAll([&](const Response& reply) {
        EXPECT_EQ(reply.client, 0xfeedfaceu);
        EXPECT_EQ(reply.number, number);
        EXPECT_TRUE(reply.success);
        is_answered = true;
      });
      return is_answered;
    }));
  }
}

// A reader that stops reading harms nobody; what it loses itself: losses_test.cpp.
TEST_F(CyclonePeer, AStoppedReaderSlowsNobody) {
  ChildProcess lazy({GS_LAZY_READER, std::to_string(domain())});
  ASSERT_TRUE(lazy.waitForLine("reading", kPatience));
  lazy.send(SIGSTOP);
  GS_READER(sensor_msgs, PointCloud2)
  cloud(participant, GS_DESCRIPTOR(sensor_msgs, PointCloud2), "rt/lidar/top/points", {});
  GS_READER(nav_msgs, Odometry)
  odom(participant, GS_DESCRIPTOR(nav_msgs, Odometry), "rt/odom", {});
  Rate clouds, odometry;
  EXPECT_TRUE(eventually([&] {
    cloud.takeAll([&](const auto& m) { clouds.see(stepOf(m.header.stamp), 10); });
    odom.takeAll([&](const auto& m) { odometry.see(stepOf(m.header.stamp), 1); });
    return (clouds.count >= 30 && odometry.count >= 300) || HasFailure();
  }));
  lazy.send(SIGCONT);
  lazy.finish();
  EXPECT_EQ(node.finish(), 0);
}

}  // namespace
}  // namespace peers
