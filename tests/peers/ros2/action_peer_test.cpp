// SPDX-License-Identifier: Apache-2.0
// Peers of two vendors judge the action server, which runs in another process: what discovery says
// about it, and a client that does what rcl_action's client does.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

#include <gmock/gmock.h>

#include "action_types.h"
#include "gs/formats/ros_schema.hpp"
#include "gs_ros2/testing/action_client.hpp"
#include "gs_ros2/testing/count_action.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/cyclone.hpp"

namespace peers {
namespace {

namespace msgs = gs::msgs;
using gs_ros2::testing::Count;
using gs_ros2::testing::eventually;
using gs_ros2::testing::kPatience;
using Status = msgs::GoalStatus;
using Guid = std::array<uint8_t, 16>;

#define COUNT_TYPE(name) gs_test_msgs_action_dds__Count_##name##_
#define COUNT_DESCRIPTOR(name) gs_test_msgs_action_dds__Count_##name##__desc

uint32_t domain() { return gs_ros2::testing::loopback().domain; }

// One endpoint as a peer's discovery shows it.
struct Seen {
  std::string type, user_data;
  bool is_reliable = false, is_latched = false;
  Guid guid{};
};

class Discovery {
 public:
  Discovery(const CycloneParticipant& participant, dds_entity_t topic)
      : reader_(checked(dds_create_reader(participant.entity(), topic, nullptr, nullptr),
                        "discovery")) {}
  ~Discovery() { dds_delete(reader_); }

  // By topic: those of the action.
  const std::map<std::string, Seen>& endpoints() {
    void* samples[1] = {nullptr};
    dds_sample_info_t info;
    while (dds_take(reader_, samples, &info, 1, 1) > 0) {
      const auto& found = *static_cast<const dds_builtintopic_endpoint_t*>(samples[0]);
      if (info.valid_data && std::string(found.topic_name).find("/_action/") != std::string::npos)
        endpoints_[found.topic_name] = describe(found);
      dds_return_loan(reader_, samples, 1);
    }
    return endpoints_;
  }

 private:
  static Seen describe(const dds_builtintopic_endpoint_t& found) {
    Seen seen{.type = found.type_name};
    void* data = nullptr;
    size_t size = 0;
    dds_qget_userdata(found.qos, &data, &size);
    seen.user_data.assign(static_cast<const char*>(data), size);
    dds_free(data);
    dds_reliability_kind_t reliability{};
    dds_duration_t blocking = 0;
    dds_qget_reliability(found.qos, &reliability, &blocking);
    seen.is_reliable = reliability == DDS_RELIABILITY_RELIABLE;
    dds_durability_kind_t durability{};
    dds_qget_durability(found.qos, &durability);
    seen.is_latched = durability == DDS_DURABILITY_TRANSIENT_LOCAL;
    std::copy_n(found.key.v, 16, seen.guid.begin());
    return seen;
  }

  dds_entity_t reader_;
  std::map<std::string, Seen> endpoints_;
};

class ActionPeer : public ::testing::Test {
 protected:
  ActionPeer() : server({GS_COUNT_SERVER, std::to_string(domain())}), participant(domain()) {}

  void SetUp() override { ASSERT_TRUE(server.waitForLine("ready", kPatience)); }
  void TearDown() override { EXPECT_EQ(server.finish(), 0); }

  ChildProcess server;
  CycloneParticipant participant;
};

// `ros2 action list` and `ros2 node info` are made of these.
TEST_F(ActionPeer, DiscoveryShowsWhatRosToolsLookFor) {
  Discovery readers(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
  Discovery writers(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
  CycloneReader<rmw_dds_common_msg_dds__ParticipantEntitiesInfo_> graph(
      participant, rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info",
      {.is_latched = true});
  std::vector<Guid> listed_readers, listed_writers;
  ASSERT_TRUE(eventually([&] {
    graph.takeAll([&](const auto& message) {
      if (message.node_entities_info_seq._length != 1) return;
      const auto& node = message.node_entities_info_seq._buffer[0];
      EXPECT_STREQ(node.node_namespace, "/lab");
      EXPECT_STREQ(node.node_name, "counter");
      const auto copy = [](const auto& gids, std::vector<Guid>& out) {
        out.resize(gids._length);
        for (size_t i = 0; i < out.size(); ++i)
          std::copy_n(gids._buffer[i].data, 16, out[i].begin());
      };
      copy(node.reader_gid_seq, listed_readers);
      copy(node.writer_gid_seq, listed_writers);
    });
    return readers.endpoints().size() == 3 && writers.endpoints().size() == 5 &&
           !listed_readers.empty();
  }));

  const auto check = [](const Seen& seen, const std::string& type, const std::string& hash,
                        bool is_latched = false) {
    EXPECT_EQ(seen.type, type);
    EXPECT_EQ(seen.user_data, "typehash=" + hash + ";") << type;
    EXPECT_TRUE(seen.is_reliable) << type;
    EXPECT_EQ(seen.is_latched, is_latched) << type;
  };
  const std::string stem = "gs_test_msgs::action::dds_::Count_";
  auto asked = readers.endpoints();
  check(asked["rq/lab/count/_action/send_goalRequest"], stem + "SendGoal_Request_",
        gs::rosTypeHash<msgs::SendGoalRequest<Count>>());
  check(asked["rq/lab/count/_action/get_resultRequest"], stem + "GetResult_Request_",
        gs::rosTypeHash<msgs::GetResultRequest<Count>>());
  check(asked["rq/lab/count/_action/cancel_goalRequest"],
        "action_msgs::srv::dds_::CancelGoal_Request_",
        "RIHS01_3d3c84653c1f96918086887e1dcb236faec88b81a5b14fd4cf4840065bcdf8af");
  auto said = writers.endpoints();
  check(said["rr/lab/count/_action/send_goalReply"], stem + "SendGoal_Response_",
        gs::rosTypeHash<msgs::SendGoalResponse<Count>>());
  check(said["rr/lab/count/_action/get_resultReply"], stem + "GetResult_Response_",
        gs::rosTypeHash<msgs::GetResultResponse<Count>>());
  check(said["rr/lab/count/_action/cancel_goalReply"],
        "action_msgs::srv::dds_::CancelGoal_Response_",
        gs::rosTypeHash<msgs::CancelGoalResponse>());
  check(said["rt/lab/count/_action/feedback"], stem + "FeedbackMessage_",
        gs::rosTypeHash<msgs::FeedbackMessage<Count>>());
  check(said["rt/lab/count/_action/status"], "action_msgs::msg::dds_::GoalStatusArray_",
        "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e", true);

  const auto guidsOf = [](const auto& endpoints) {
    std::vector<Guid> guids;
    for (const auto& [topic, seen] : endpoints) guids.push_back(seen.guid);
    return guids;
  };
  EXPECT_THAT(listed_readers, ::testing::UnorderedElementsAreArray(guidsOf(asked)));
  EXPECT_THAT(listed_writers, ::testing::UnorderedElementsAreArray(guidsOf(said)));
}

// Requests and replies of one service as rmw_cyclonedds sends them.
template <typename Request, typename Response>
class CycloneClient {
 public:
  CycloneClient(const CycloneParticipant& participant, const std::string& service,
                const dds_topic_descriptor_t& request, const dds_topic_descriptor_t& response)
      : writer_(participant, request, gs_ros2::requestForDds(service), {.depth = 10}),
        reader_(participant, response, gs_ros2::replyForDds(service), {.depth = 10}) {}

  bool isMatched() const { return writer_.isMatched(); }

  int64_t send(Request request) {
    request.client = kClient;
    request.number = ++last_;
    writer_.write(request);
    return last_;
  }

  // `use` gets the reply; false when none has come (yet).
  bool takeReply(int64_t number, const std::function<void(const Response&)>& use) {
    bool has_come = false;
    reader_.takeAll([&](const Response& response) {
      if (response.client != kClient || response.number != number) return;
      has_come = true;
      use(response);
    });
    return has_come;
  }

 private:
  static constexpr uint64_t kClient = 0x0123456789abcdef;
  int64_t last_ = 0;
  CycloneWriter<Request> writer_;
  CycloneReader<Response> reader_;
};

struct CycloneActionClient {
  explicit CycloneActionClient(const CycloneParticipant& participant)
      : goals(participant, "/lab/count/_action/send_goal", COUNT_DESCRIPTOR(SendGoal_Request),
              COUNT_DESCRIPTOR(SendGoal_Response)),
        results(participant, "/lab/count/_action/get_result", COUNT_DESCRIPTOR(GetResult_Request),
                COUNT_DESCRIPTOR(GetResult_Response)),
        cancels(participant, "/lab/count/_action/cancel_goal",
                action_msgs_srv_dds__CancelGoal_Request__desc,
                action_msgs_srv_dds__CancelGoal_Response__desc),
        feedback(participant, COUNT_DESCRIPTOR(FeedbackMessage), "rt/lab/count/_action/feedback",
                 {.depth = 10}) {}

  // Discovery is not symmetric: goals are sent until one has been heard of on every topic.
  bool connect() {
    return eventually([&] {
      if (!goals.isMatched() || !results.isMatched() || !cancels.isMatched()) return false;
      const int64_t call = sendGoal(next_id, 1);
      const int64_t question = askResult(next_id++);
      bool is_heard[3] = {};
      return eventually(
          [&] {
            is_heard[0] |= goals.takeReply(call, [](const auto&) {});
            is_heard[1] |= results.takeReply(question, [](const auto&) {});
            is_heard[2] |= feedback.takeAll([](const auto&) {});
            return is_heard[0] && is_heard[1] && is_heard[2];
          },
          std::chrono::milliseconds(500));
    });
  }

  int64_t sendGoal(uint8_t id, int32_t target) {
    COUNT_TYPE(SendGoal_Request) request{};
    std::fill_n(request.goal_id, 16, id);
    request.target = target;
    return goals.send(request);
  }
  int64_t askResult(uint8_t id) {
    COUNT_TYPE(GetResult_Request) request{};
    std::fill_n(request.goal_id, 16, id);
    return results.send(request);
  }

  uint8_t next_id = 1;
  CycloneClient<COUNT_TYPE(SendGoal_Request), COUNT_TYPE(SendGoal_Response)> goals;
  CycloneClient<COUNT_TYPE(GetResult_Request), COUNT_TYPE(GetResult_Response)> results;
  CycloneClient<action_msgs_srv_dds__CancelGoal_Request_, action_msgs_srv_dds__CancelGoal_Response_>
      cancels;
  CycloneReader<COUNT_TYPE(FeedbackMessage)> feedback;
};

TEST_F(ActionPeer, ACycloneClientFollowsAGoalToItsResult) {
  CycloneActionClient client(participant);
  ASSERT_TRUE(client.connect());
  const uint8_t id = client.next_id;
  const int64_t call = client.sendGoal(id, 4);
  EXPECT_TRUE(eventually([&] {
    return client.goals.takeReply(call, [](const auto& reply) {
      EXPECT_TRUE(reply.accepted);
      EXPECT_EQ(reply.sec, 5);
      EXPECT_EQ(reply.nanosec, 7u);
    });
  }));
  const int64_t question = client.askResult(id);
  std::vector<int> heard;
  const auto takeFeedback = [&] {
    client.feedback.takeAll([&](const auto& message) {
      if (message.goal_id[15] == id) heard.push_back(message.current);
    });
  };
  EXPECT_TRUE(eventually([&] {
    takeFeedback();
    return client.results.takeReply(question, [](const auto& reply) {
      EXPECT_EQ(reply.status, Status::kSucceeded);
      EXPECT_EQ(reply.last, 4);
    });
  }));
  EXPECT_TRUE(eventually([&] {
    takeFeedback();
    return heard.size() >= 4;
  }));
  EXPECT_THAT(heard, ::testing::ElementsAre(1, 2, 3, 4));

  CycloneReader<action_msgs_msg_dds__GoalStatusArray_> late(
      participant, action_msgs_msg_dds__GoalStatusArray__desc, "rt/lab/count/_action/status",
      {.is_latched = true, .depth = 1});
  EXPECT_TRUE(eventually([&] {
    return late.takeAll([&](const auto& message) {
      ASSERT_GE(message.status_list._length, 2u);
      const auto& last = message.status_list._buffer[message.status_list._length - 1];
      EXPECT_EQ(last.goal_info.goal_id[0], id);
      EXPECT_EQ(last.goal_info.sec, 5);
      EXPECT_EQ(last.status, Status::kSucceeded);
    });
  }));
}

TEST_F(ActionPeer, ACycloneClientCancelsAGoal) {
  CycloneActionClient client(participant);
  ASSERT_TRUE(client.connect());
  const uint8_t id = client.next_id;
  const int64_t call = client.sendGoal(id, 1'000'000);
  const int64_t question = client.askResult(id);
  EXPECT_TRUE(eventually([&] { return client.goals.takeReply(call, [](const auto&) {}); }));
  action_msgs_srv_dds__CancelGoal_Request_ request{};
  std::fill_n(request.goal_info.goal_id, 16, id);
  const int64_t cancel = client.cancels.send(request);
  EXPECT_TRUE(eventually([&] {
    return client.cancels.takeReply(cancel, [&](const auto& reply) {
      EXPECT_EQ(reply.return_code, msgs::CancelGoalResponse::kNone);
      ASSERT_EQ(reply.goals_canceling._length, 1u);
      EXPECT_EQ(reply.goals_canceling._buffer[0].goal_id[7], id);
    });
  }));
  EXPECT_TRUE(eventually([&] {
    return client.results.takeReply(question, [](const auto& reply) {
      EXPECT_EQ(reply.status, Status::kCanceled);
      EXPECT_LT(reply.last, 1'000'000);
    });
  }));
}

TEST_F(ActionPeer, AFastDdsClientSendsAndCancels) {
  gs_ros2::Participant fast(gs_ros2::testing::loopback());
  gs_ros2::testing::ActionClient<Count> client(fast, "/lab/count",
                                               gs_ros2::testing::Dialect::FastDds);
  ASSERT_TRUE(eventually([&] { return client.isMatched(); }));
  const auto replyTo = [](const auto& calls, int64_t number) {
    EXPECT_TRUE(eventually([&] { return calls.reply(number).has_value(); }));
    return calls.reply(number).value();
  };
  EXPECT_TRUE(replyTo(client.goals, client.goals.send({{{1}}, {3}})).accepted);
  EXPECT_FALSE(replyTo(client.goals, client.goals.send({{{2}}, {0}})).accepted);
  EXPECT_EQ(replyTo(client.results, client.results.send({{{1}}})).result.last, 3);
  EXPECT_TRUE(replyTo(client.goals, client.goals.send({{{3}}, {1'000'000}})).accepted);
  const auto cancelled = replyTo(client.cancels, client.cancels.send({}));
  ASSERT_EQ(cancelled.goals_canceling.size(), 1u);
  EXPECT_EQ(cancelled.goals_canceling[0].goal_id, (msgs::UUID{{3}}));
  EXPECT_EQ(replyTo(client.results, client.results.send({{{3}}})).status, Status::kCanceled);
}

}  // namespace
}  // namespace peers
