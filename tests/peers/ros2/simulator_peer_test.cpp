// SPDX-License-Identifier: Apache-2.0
// The real program on the wire: gs-simulator in another process, with the arguments and variables
// that a ROS 2 launch would give it.
#include <map>
#include <mutex>

#include <gmock/gmock.h>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs/msgs/rosgraph_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/simulation_interfaces_v1.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs_ros2/parameter_server.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/rmw_peer.hpp"
#include "peers/ros2/simulator_process.hpp"

namespace peers {
namespace {

namespace msgs = gs::msgs;
using gs_ros2::testing::eventually;
using gs_ros2::testing::kPatience;

int64_t toNs(const msgs::Time& time) { return gs::fromSecNanosec({time.sec, time.nanosec}).ns; }

// Started as `ros2 launch` starts programs; ends with SIGINT, as Ctrl-C does.
class SimulatorProcess {
 public:
  explicit SimulatorProcess(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"run", GS_MINIMAL_WORLD};
    arguments.insert(arguments.end(), more.begin(), more.end());
    child_ = startSimulator(GS_SIMULATOR, arguments);
  }
  ~SimulatorProcess() {
    child_->send(SIGINT);
    EXPECT_EQ(child_->finish(), 0);
  }

 private:
  std::unique_ptr<ChildProcess> child_;
};

struct Peer {
  ~Peer() { EXPECT_THAT(node.problems(), ::testing::IsEmpty()); }

  template <typename Response, typename Request>
  Response call(const std::string& name, const Request& request) {
    const auto reply = node.call<Response>(name, request, kPatience);
    EXPECT_TRUE(reply) << name;
    return reply.value_or(Response());
  }

  RmwPeer node{dialect(), gs_ros2::testing::loopback().domain};
};

TEST(SimulatorOnTheWire, PublishesItsTopicsAndObeysServicesAndParameters) {
  const SimulatorProcess simulator({"--ros-args", "-r", "__node:=ego", "-r", "odom:=/truth", "-p",
                                    "simulation.start_paused:=true", "-p", "use_sim_time:=true",
                                    "--log-level", "warn", "--ros-args"});
  gs_ros2::testing::Inbox<int64_t> clocks, odometries, images, infos, clouds;
  Peer peer;  // after what its subscriptions write to
  const PeerQos qos{.depth = 300};
  peer.node.subscribe<msgs::Clock>("/clock", qos,
                                   [&](msgs::Clock&& m) { clocks.put(toNs(m.clock)); });
  peer.node.subscribe<msgs::Odometry>(
      "/truth", qos, [&](msgs::Odometry&& m) { odometries.put(toNs(m.header.stamp)); });
  peer.node.subscribe<msgs::Image>("/camera/front/image_raw", qos,
                                   [&](msgs::Image&& m) { images.put(toNs(m.header.stamp)); });
  peer.node.subscribe<msgs::CameraInfo>(
      "/camera/front/camera_info", qos,
      [&](msgs::CameraInfo&& m) { infos.put(toNs(m.header.stamp)); });
  peer.node.subscribe<msgs::PointCloud2>(
      "/lidar/top/points", qos, [&](msgs::PointCloud2&& m) { clouds.put(toNs(m.header.stamp)); });
  ASSERT_TRUE(eventually([&] { return peer.node.nodes() == std::vector<std::string>{"/ego"}; }));

  using Trigger = msgs::TriggerResponse;
  EXPECT_TRUE(peer.call<Trigger>("/sim/step", msgs::TriggerRequest()).success);
  EXPECT_TRUE(peer.call<Trigger>("/sim/resume", msgs::TriggerRequest()).success);
  EXPECT_FALSE(peer.call<Trigger>("/sim/step", msgs::TriggerRequest()).success);
  ASSERT_TRUE(clocks.waitFor(50));
  ASSERT_TRUE(odometries.waitFor(50));
  ASSERT_TRUE(images.waitFor(3));
  ASSERT_TRUE(infos.waitFor(3));
  ASSERT_TRUE(clouds.waitFor(3));
  EXPECT_TRUE(peer.call<msgs::SetParametersResponse>(
                      "/ego/set_parameters",
                      msgs::SetParametersRequest{
                          {{"simulation.real_time_factor", gs_ros2::toMessage(0.5)}}})
                  .results.at(0)
                  .successful);
  EXPECT_TRUE(peer.call<Trigger>("/sim/pause", msgs::TriggerRequest()).success);

  // Every stamp is one of /clock's, and time goes on step by step.
  const auto times = clocks.items();
  for (size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], 10'000'000);
  const auto odometry_times = odometries.items();
  for (size_t i = 1; i < odometry_times.size(); ++i)
    EXPECT_EQ(odometry_times[i] - odometry_times[i - 1], 10'000'000);
  for (const auto& stamps : {images.items(), infos.items(), clouds.items()})
    for (const int64_t stamp : stamps) EXPECT_EQ(stamp % 10'000'000, 0);
}

TEST(SimulatorOnTheWire, LogAndParameterEventsReachWhoeverListens) {
  const SimulatorProcess simulator(
      {"--no-sensors", "--no-web", "--ros-args", "-p", "use_sim_time:=true"});
  gs_ros2::testing::Inbox<msgs::Log> lines;
  gs_ros2::testing::Inbox<msgs::ParameterEvent> events;
  Peer peer;
  peer.node.subscribe<msgs::ParameterEvent>(
      "/parameter_events", {.depth = 100},
      [&](msgs::ParameterEvent&& event) { events.put(event); });
  EXPECT_TRUE(peer.call<msgs::TriggerResponse>("/sim/pause", msgs::TriggerRequest()).success);
  // It began to speak before anybody listened.
  peer.node.subscribe<msgs::Log>("/rosout", {.is_latched = true, .depth = 1000},
                                 [&](msgs::Log&& line) { lines.put(line); });
  const auto find = [&](const std::string& start) {
    std::optional<msgs::Log> found;
    EXPECT_TRUE(eventually([&] {
      for (const msgs::Log& line : lines.items())
        if (line.msg.starts_with(start)) found = line;
      return found.has_value();
    })) << start;
    return found.value_or(msgs::Log());
  };
  const msgs::Log world = find("world '");
  EXPECT_EQ(world.level, 20);
  EXPECT_EQ(world.name, "gs_simulator.simulator");
  EXPECT_EQ(toNs(world.stamp), 0);  // where simulated time begins
  EXPECT_EQ(find("paused").level, 20);
  const auto set = peer.call<msgs::SetParametersResponse>(
      "/gs_simulator/set_parameters",
      msgs::SetParametersRequest{{{"simulation.real_time_factor", gs_ros2::toMessage(0.25)}}});
  EXPECT_TRUE(set.results.at(0).successful);
  const std::vector<msgs::Parameter> changed = {
      {"simulation.real_time_factor", gs_ros2::toMessage(0.25)}};
  EXPECT_TRUE(eventually([&] {
    for (const msgs::ParameterEvent& event : events.items())
      if (event.node == "/gs_simulator" && event.changed_parameters == changed) return true;
    return false;
  }));
}

// Humble and Jazzy have version 1 of them; tools of Jazzy compare the hashes.
TEST(SimulatorOnTheWire, TheStandardInterfacesAreThoseOfTheDistribution) {
  namespace si = msgs::simulation_interfaces;
  const SimulatorProcess simulator({"--no-sensors", "--no-web"});
  Peer peer;
  const auto hashOf = [&](const std::string& topic) {
    std::string user_data;
    EXPECT_TRUE(eventually([&] {
      for (const RmwEndpoint& endpoint : peer.node.endpoints())
        if (endpoint.topic == topic && !endpoint.is_writer) user_data = endpoint.user_data;
      return !user_data.empty();
    })) << topic;
    return user_data;
  };
  EXPECT_EQ(hashOf("rq/load_worldRequest"),
            "typehash=" + gs::rosTypeHash<si::v1::LoadWorldRequest>() + ";");
  EXPECT_EQ(hashOf("rq/set_entity_stateRequest"),
            "typehash=" + gs::rosTypeHash<si::v1::SetEntityStateRequest>() + ";");

  si::v1::SetEntityStateRequest place{.entity = "ego"};
  place.state.pose.position = {.x = 1, .y = 0.5, .z = 0};
  place.state.pose.orientation.w = 1;
  EXPECT_EQ(peer.call<si::SetEntityStateResponse>("/set_entity_state", place).result.result,
            si::Result::kOk);
  const si::v1::LoadWorldRequest nowhere{.uri = "/nowhere"};
  EXPECT_EQ(peer.call<si::LoadWorldResponse>("/load_world", nowhere).result.result,
            si::LoadWorldResponse::kResourceParseError);
}

// Drives for some steps, each command stamped with the odometry that it answers.
std::vector<std::vector<std::byte>> lockStepDrive(int steps) {
  const SimulatorProcess simulator({"--no-sensors", "--fast", "--ros-args", "-p",
                                    "ros2.lock_step:=true", "-p",
                                    "ros2.lock_step_timeout_sec:=60.0"});
  gs_ros2::testing::Inbox<std::vector<std::byte>> seen;
  RmwPublisher<msgs::AckermannDriveStamped> command;
  Peer peer;
  command = peer.node.advertise<msgs::AckermannDriveStamped>("/vehicle/control_cmd", {.depth = 10});
  peer.node.subscribe<msgs::Odometry>("/odom", {.depth = 100}, [&](msgs::Odometry&& odometry) {
    seen.put(gs::encodeCdr(odometry));
    const double x = odometry.pose.pose.position.x;
    command.publish({.header = {.stamp = odometry.header.stamp},
                     .drive = {.steering_angle = static_cast<float>(0.1 * std::sin(x)),
                               .speed = static_cast<float>(3 + std::cos(x))}});
  });
  EXPECT_TRUE(seen.waitFor(static_cast<size_t>(steps)));
  return seen.items();
}

TEST(SimulatorOnTheWire, InLockStepEveryStepHasItsCommand) {
  const auto drive = lockStepDrive(200);
  ASSERT_GE(drive.size(), 200u);
  int64_t before = -10'000'000;
  for (const auto& bytes : drive) {
    const auto odometry = gs::decodeCdr<msgs::Odometry>(bytes, "odom");
    const int64_t now = toNs(odometry.header.stamp);
    // From the very first; what is shown again to one who joins has the same stamp.
    EXPECT_TRUE(now == before + 10'000'000 || now == before) << now << " after " << before;
    before = now;
  }
  const auto last = gs::decodeCdr<msgs::Odometry>(drive.back(), "odom");
  EXPECT_GT(last.twist.twist.linear.x, 1);  // it obeyed
}

}  // namespace
}  // namespace peers
