// SPDX-License-Identifier: Apache-2.0
// Nodes as rmw_fastrtps makes them, of Humble and of later distributions, alone and together, judge
// what the bridge says about itself: the node graph above all, whose two forms have one name.
#include "peers/ros2/rmw_peer.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs_ros2/parameter_server.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"

namespace peers {
namespace {

namespace msgs = gs::msgs;
using gs_ros2::testing::eventually;
using gs_ros2::testing::Inbox;
using gs_ros2::testing::kPatience;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<std::string> kOnlyTheSimulator{"/gs_simulator"};

uint32_t domain() { return gs_ros2::testing::loopback().domain; }

// The bridge in another process; `distro` is its ROS_DISTRO, and empty: it is not told.
class Bridge {
 public:
  explicit Bridge(const std::string& distro)
      : process_({GS_SYNTHETIC_NODE, std::to_string(domain())}, {{"ROS_DISTRO", distro}}) {
    EXPECT_TRUE(process_.waitForLine("ready", kPatience));
  }
  ~Bridge() { EXPECT_EQ(process_.finish(), 0); }

  std::optional<std::string> waitForLine(const std::string& start,
                                         std::chrono::milliseconds patience) {
    return process_.waitForLine(start, patience);
  }

 private:
  ChildProcess process_;
};

// `ros2 node list` and `ros2 node info`: the node is there, and every endpoint is one of its own.
bool seesTheWholeNode(const RmwPeer& peer) {
  return peer.nodes() == kOnlyTheSimulator && peer.endpoints().size() > 40 &&
         peer.orphans().empty();
}

class RmwPeerOf : public ::testing::TestWithParam<bool> {
 protected:
  // Whether the simulator is told which distribution its peers are of.
  Bridge bridge{GetParam() ? dialect().distro : ""};
  RmwPeer peer{dialect(), domain()};

  void TearDown() override { EXPECT_THAT(peer.problems(), IsEmpty()); }
};
INSTANTIATE_TEST_SUITE_P(BridgeThatIs, RmwPeerOf, ::testing::Bool(), [](const auto& info) {
  return info.param ? "ToldTheDistribution" : "NotTold";
});

TEST_P(RmwPeerOf, SeesTheNodeAndThatAllEndpointsAreItsOwn) {
  EXPECT_TRUE(eventually([&] { return seesTheWholeNode(peer); }))
      << ::testing::PrintToString(peer.nodes()) << ::testing::PrintToString(peer.orphans());
  for (const RmwEndpoint& endpoint : peer.endpoints()) {
    if (endpoint.topic == "ros_discovery_info") continue;
    EXPECT_THAT(endpoint.topic.substr(0, 3), ::testing::AnyOf("rt/", "rq/", "rr/"));
    EXPECT_THAT(endpoint.type, HasSubstr("::dds_::"));
    EXPECT_THAT(endpoint.user_data, HasSubstr("typehash=RIHS01_")) << endpoint.topic;
  }
}

TEST_P(RmwPeerOf, UsesServicesAndParameters) {
  EXPECT_TRUE(
      peer.call<msgs::TriggerResponse>("/sim/pause", msgs::TriggerRequest(), kPatience)->success);
  EXPECT_TRUE(
      peer.call<msgs::TriggerResponse>("/sim/step", msgs::TriggerRequest(), kPatience)->success);
  EXPECT_TRUE(
      peer.call<msgs::TriggerResponse>("/sim/resume", msgs::TriggerRequest(), kPatience)->success);
  const auto listed = peer.call<msgs::ListParametersResponse>(
      "/gs_simulator/list_parameters", msgs::ListParametersRequest(), kPatience);
  ASSERT_TRUE(listed);
  EXPECT_THAT(listed->result.names, Contains("vehicle.wheelbase"));
  const auto values = peer.call<msgs::GetParametersResponse>(
      "/gs_simulator/get_parameters", msgs::GetParametersRequest{{"vehicle.wheelbase"}}, kPatience);
  ASSERT_TRUE(values);
  ASSERT_THAT(values->values, SizeIs(1));
  EXPECT_EQ(values->values[0].double_value, 2.8);
  const auto set = peer.call<msgs::SetParametersResponse>(
      "/gs_simulator/set_parameters",
      msgs::SetParametersRequest{{{"simulation.real_time_factor", gs_ros2::toMessage(0.5)}}},
      kPatience);
  ASSERT_TRUE(set);
  EXPECT_THAT(set->results, SizeIs(1));
}

TEST_P(RmwPeerOf, GetsStaticTransformsLateAndItsCommandsAreObeyed) {
  ASSERT_TRUE(eventually([&] { return seesTheWholeNode(peer); }));
  Inbox<msgs::TFMessage> transforms;
  peer.subscribe<msgs::TFMessage>("/tf_static", {.is_latched = true},
                                  [&](msgs::TFMessage&& m) { transforms.put(std::move(m)); });
  ASSERT_TRUE(transforms.waitFor(1));
  EXPECT_THAT(transforms.items()[0].transforms, SizeIs(2));

  const auto publisher =
      peer.advertise<msgs::AckermannDriveStamped>("/vehicle/control_cmd", dialect().topic_pub);
  ASSERT_TRUE(eventually([&] { return publisher.hasReaders(); }));
  std::optional<std::string> line;
  for (int i = 0; i < 600 && !line; ++i) {  // discovery is not symmetric: say it until it is heard
    publisher.publish(
        {.header = {.stamp = {12, 34}}, .drive = {.steering_angle = -0.25f, .speed = 4.5f}});
    line = bridge.waitForLine("control", std::chrono::milliseconds(100));
  }
  EXPECT_EQ(line, "control 4.5 -0.25 12000000034");
}

// Both generations on one network, the simulator not told which is which. A node of Humble may die
// of one message in the newer form, and such a message stays latched for whoever comes. What the
// two peers do to each other is not our doing.
TEST(BothGenerations, NoNodeOfHumbleEverGetsTheNewerForm) {
  Bridge bridge("");
  Inbox<std::string> log;
  RmwPeer newer(kJazzy, domain(), "newer");
  newer.subscribe<msgs::Log>("/rosout", {.is_latched = true},
                             [&](msgs::Log&& m) { log.put(m.msg); });
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(eventually([&] { return newer.nodes() == kOnlyTheSimulator; })) << i;
    RmwPeer older(kHumble, domain(), "older");
    ASSERT_TRUE(eventually([&] {
      return std::ranges::count(older.nodes(), kOnlyTheSimulator[0]) == 1;
    })) << i;
    EXPECT_THAT(older.problems(&newer), IsEmpty()) << i;
  }
  ASSERT_TRUE(eventually([&] { return newer.nodes() == kOnlyTheSimulator; }));
  EXPECT_THAT(newer.problems(), IsEmpty());
  EXPECT_THAT(log.items(), Contains(HasSubstr("ROS_DISTRO")));
}

TEST(BothGenerations, OfThoseThatCameFirstNoneIsHarmedEither) {
  RmwPeer older(kHumble, domain(), "older"), newer(kJazzy, domain(), "newer");
  Bridge bridge("");
  const auto sees_it = [](const RmwPeer& peer) {
    return std::ranges::count(peer.nodes(), kOnlyTheSimulator[0]) == 1;
  };
  ASSERT_TRUE(eventually([&] { return sees_it(older) && newer.endpoints().size() > 40; }));
  EXPECT_THAT(older.problems(&newer), IsEmpty());
  EXPECT_THAT(newer.problems(), IsEmpty());
}

// The user's word counts; and this is how the tests above would fail.
TEST(BothGenerations, WhoIsToldToWriteTheNewerFormWritesItToHumbleToo) {
  Bridge bridge("jazzy");
  RmwPeer older(kHumble, domain(), "older");
  ASSERT_TRUE(eventually([&] { return !older.problems().empty(); }));
  EXPECT_THAT(older.problems(), Contains(HasSubstr("graph message")));
}

}  // namespace
}  // namespace peers
