// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/action_server.hpp"

#include <set>

#include <gmock/gmock.h>

#include "gs_ros2/testing/action_client.hpp"
#include "gs_ros2/testing/count_action.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using testing::Count;
using testing::Dialect;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::loopback;
using Status = msgs::GoalStatus;
using Handle = GoalHandle<Count>;

constexpr gs::Stamp kSimulated{5'000'000'007};

GoalId idOf(uint8_t n) {
  GoalId id;
  id.uuid.fill(n);
  return id;
}

// A server and a client in two participants. The server's work is done by the test itself, so that
// nothing happens behind its back.
class Actions : public ::testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    node.announce();
    ASSERT_TRUE(spinUntil([&] { return client.isMatched(); }));
  }

  bool spinUntil(const std::function<bool()>& holds) {
    return testing::eventually([&] {
      node.work().runWaiting();
      return holds();
    });
  }

  template <typename Request, typename Response>
  Response replyTo(testing::CallingClient<Request, Response>& calls, int64_t number) {
    EXPECT_TRUE(spinUntil([&] { return calls.reply(number).has_value(); }));
    return calls.reply(number).value_or(Response());
  }

  msgs::SendGoalResponse<Count> sendGoal(uint8_t n, int32_t target) {
    return replyTo(client.goals, client.goals.send({idOf(n), {target}}));
  }
  msgs::GetResultResponse<Count> getResult(uint8_t n) {
    return replyTo(client.results, client.results.send({idOf(n)}));
  }
  msgs::CancelGoalResponse cancel(const msgs::GoalInfo& goal) {
    return replyTo(client.cancels, client.cancels.send({goal}));
  }

  // Waits until the newest status lists exactly these.
  bool isStatus(const std::vector<int8_t>& states) {
    return spinUntil([&] {
      const auto all = client.status.items();
      std::vector<int8_t> last;
      if (!all.empty())
        for (const auto& goal : all.back().status_list) last.push_back(goal.status);
      return last == states;
    });
  }

  std::vector<Handle> handles;
  std::vector<int32_t> targets;
  bool may_cancel = true;
  int question_count = 0;

  Participant here{loopback()}, there{loopback()};
  Node node{here, {.ns = "/lab", .name = "counter"}, {}};
  ActionServer<Count> server{node,
                             "count",
                             {.on_goal =
                                  [this](const Count::Goal& goal) {
                                    ++question_count;
                                    return goal.target > 0;
                                  },
                              .on_accepted =
                                  [this](const Handle& handle, const Count::Goal& goal) {
                                    handles.push_back(handle);
                                    targets.push_back(goal.target);
                                  },
                              .on_cancel = [this](const Handle&) { return may_cancel; }},
                             [] { return kSimulated; }};
  testing::ActionClient<Count> client{there, "/lab/count", GetParam()};
};

TEST_P(Actions, AGoalIsAcceptedExecutedAndSucceeds) {
  const auto response = sendGoal(1, 3);
  EXPECT_TRUE(response.accepted);
  EXPECT_EQ(response.stamp, (msgs::Time{5, 7}));
  ASSERT_TRUE(isStatus({Status::kAccepted}));
  ASSERT_THAT(targets, ElementsAre(3));
  EXPECT_FALSE(handles.at(0).publishFeedback({0})) << "it is not executing yet";
  EXPECT_TRUE(handles.at(0).execute());
  ASSERT_TRUE(isStatus({Status::kExecuting}));

  const int64_t question = client.results.send({idOf(1)});
  for (int i = 1; i <= 3; ++i) EXPECT_TRUE(handles.at(0).publishFeedback({i}));
  ASSERT_TRUE(spinUntil([&] { return client.feedback.items().size() == 3; }));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.feedback.items()[static_cast<size_t>(i)].goal_id, idOf(1));
    EXPECT_EQ(client.feedback.items()[static_cast<size_t>(i)].feedback.current, i + 1);
  }
  EXPECT_FALSE(client.results.reply(question)) << "the goal has not ended";
  EXPECT_TRUE(handles.at(0).succeed({3}));
  EXPECT_EQ(replyTo(client.results, question).status, Status::kSucceeded);
  EXPECT_EQ(replyTo(client.results, question).result.last, 3);
  ASSERT_TRUE(isStatus({Status::kSucceeded}));

  EXPECT_EQ(getResult(1).result.last, 3) << "whoever asks late gets it too";
  EXPECT_FALSE(handles.at(0).succeed({4}));
  EXPECT_FALSE(handles.at(0).publishFeedback({4}));
  EXPECT_EQ(client.status.items().back().status_list[0].goal_info,
            (msgs::GoalInfo{idOf(1), {5, 7}}));
}

TEST_P(Actions, WhatTheServerRefusesIsRefused) {
  EXPECT_FALSE(sendGoal(1, -1).accepted);
  EXPECT_TRUE(sendGoal(2, 1).accepted);
  EXPECT_EQ(question_count, 2);
  EXPECT_FALSE(sendGoal(2, 1).accepted) << "its id is taken";
  EXPECT_EQ(question_count, 2) << "nobody is asked about that";
  EXPECT_EQ(handles.size(), 1u);
  EXPECT_EQ(getResult(1).status, Status::kUnknown);
}

TEST_P(Actions, ACancelledGoalEndsAsItsServerSays) {
  sendGoal(1, 100);
  handles.at(0).execute();
  EXPECT_FALSE(handles.at(0).canceled({0})) << "nobody asked for it";
  may_cancel = false;
  auto response = cancel({idOf(1), {}});
  EXPECT_EQ(response.return_code, msgs::CancelGoalResponse::kRejected);
  EXPECT_THAT(response.goals_canceling, IsEmpty());
  EXPECT_FALSE(handles.at(0).isCancelRequested());

  may_cancel = true;
  response = cancel({idOf(1), {}});
  EXPECT_EQ(response.return_code, msgs::CancelGoalResponse::kNone);
  EXPECT_THAT(response.goals_canceling, ElementsAre(msgs::GoalInfo{idOf(1), {5, 7}}));
  EXPECT_TRUE(handles.at(0).isCancelRequested());
  ASSERT_TRUE(isStatus({Status::kCanceling}));
  EXPECT_TRUE(handles.at(0).publishFeedback({41}));
  EXPECT_TRUE(handles.at(0).canceled({42}));
  EXPECT_EQ(getResult(1).status, Status::kCanceled);
  EXPECT_EQ(getResult(1).result.last, 42);
  EXPECT_EQ(cancel({idOf(1), {}}).return_code, msgs::CancelGoalResponse::kGoalTerminated);
  EXPECT_EQ(cancel({idOf(9), {}}).return_code, msgs::CancelGoalResponse::kUnknownGoalId);
}

TEST_P(Actions, OneRequestCancelsAll) {
  for (uint8_t n = 1; n <= 3; ++n) sendGoal(n, 100);
  handles.at(1).execute();
  handles.at(1).abort({7});
  const auto response = cancel({});
  EXPECT_EQ(response.return_code, msgs::CancelGoalResponse::kNone);
  EXPECT_EQ(response.goals_canceling.size(), 2u);
  EXPECT_TRUE(isStatus({Status::kCanceling, Status::kAborted, Status::kCanceling}));
}

TEST_P(Actions, AllWhoWaitForOneResultGetIt) {
  sendGoal(1, 1);
  handles.at(0).execute();
  testing::ActionClient<Count> other(there, "/lab/count", Dialect::FastDds);
  ASSERT_TRUE(spinUntil([&] { return other.isMatched(); }));
  std::vector<int64_t> questions;
  for (int i = 0; i < 5; ++i) questions.push_back(client.results.send({idOf(1)}));
  const int64_t from_other = other.results.send({idOf(1)});
  // A later request is answered after those before it were taken.
  ASSERT_EQ(getResult(99).status, Status::kUnknown);
  handles.at(0).abort({8});
  for (const int64_t question : questions)
    EXPECT_EQ(replyTo(client.results, question).result.last, 8);
  EXPECT_EQ(replyTo(other.results, from_other).status, Status::kAborted);
}

TEST_P(Actions, ALateReaderGetsTheStatusThatIs) {
  sendGoal(1, 1);
  handles.at(0).execute();
  handles.at(0).succeed({1});
  ASSERT_TRUE(isStatus({Status::kSucceeded}));
  Participant late(loopback());
  testing::ActionClient<Count> other(late, "/lab/count", GetParam());
  ASSERT_TRUE(other.status.waitFor(1));
  const auto list = other.status.items().back().status_list;
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0], (Status{{idOf(1), {5, 7}}, Status::kSucceeded}));
}

TEST_P(Actions, AFloodOfGoalsAndQuestionsIsAnswered) {
  const size_t max = ActionGoals::kMaxGoals;
  size_t accepted = 0;
  for (size_t n = 1; n <= max + 5; ++n) accepted += sendGoal(static_cast<uint8_t>(n), 1).accepted;
  EXPECT_EQ(accepted, max);
  for (size_t n = 0; n < ActionGoals::kMaxWaiting + 5; ++n) {
    client.results.send({idOf(1)});
    node.work().runWaiting();  // else the queue of requests would be what drops them
  }
  ASSERT_TRUE(spinUntil([&] { return client.results.replyCount() == 5; }));
  handles.at(0).execute();
  handles.at(0).succeed({1});
  EXPECT_TRUE(
      spinUntil([&] { return client.results.replyCount() == ActionGoals::kMaxWaiting + 5; }));
  EXPECT_TRUE(sendGoal(200, 1).accepted) << "the one that ended makes room";
}

TEST_P(Actions, DamagedRequestsAreCountedAndGoUnanswered) {
  uint64_t sent = 0;
  const auto damage = [&](auto& calls, const auto& request) {
    const auto whole = gs::encodeCdr(request);
    // In steps of four: RTPS fills up to such a size, and would make some of these whole again.
    for (size_t size = 4; size < whole.size() && !HasFailure(); size += 4) {
      calls.sendBytes({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
      ++sent;
      EXPECT_TRUE(spinUntil([&] { return node.garbageCount() == sent; })) << size << " bytes";
    }
  };
  damage(client.goals, msgs::SendGoalRequest<Count>{idOf(1), {1}});
  damage(client.cancels, msgs::CancelGoalRequest{{idOf(1), {1, 2}}});
  damage(client.results, msgs::GetResultRequest<Count>{idOf(1)});
  client.cancels.sendRaw(std::vector<std::byte>(8));
  EXPECT_TRUE(spinUntil([&] { return node.garbageCount() == sent + 1; }));
  EXPECT_TRUE(sendGoal(1, 1).accepted);
  EXPECT_EQ(client.goals.replyCount(), 1u);
  EXPECT_EQ(getResult(9).status, Status::kUnknown);
  EXPECT_EQ(client.results.replyCount(), 1u);
  EXPECT_EQ(client.cancels.replyCount(), 0u);
}

TEST_P(Actions, AHandleOutlivesItsServerWithoutHarm) {
  sendGoal(1, 1);
  handles.at(0).execute();
  {
    Node other(here, {.ns = "/lab", .name = "other"}, {});
    ActionServer<Count> brief(
        other, "brief",
        {[](const Count::Goal&) { return true; },
         [this](const Handle& handle, const Count::Goal&) { handles.push_back(handle); },
         [](const Handle&) { return true; }},
        [] { return kSimulated; });
    testing::ActionClient<Count> asking(there, "/lab/brief", GetParam());
    ASSERT_TRUE(spinUntil([&] { return asking.isMatched(); }));
    asking.goals.send({idOf(2), {1}});
    ASSERT_TRUE(spinUntil([&] {
      other.work().runWaiting();
      return handles.size() == 2;
    }));
    EXPECT_EQ(handles.at(1).state(), GoalState::Accepted);
  }
  EXPECT_EQ(handles.at(1).state(), GoalState::Unknown);
  EXPECT_FALSE(handles.at(1).execute());
  EXPECT_FALSE(handles.at(1).publishFeedback({1}));
  EXPECT_FALSE(handles.at(1).succeed({1}));
  EXPECT_TRUE(handles.at(0).succeed({1}));
}

INSTANTIATE_TEST_SUITE_P(Both, Actions, ::testing::Values(Dialect::FastDds, Dialect::Cyclone),
                         [](const auto& info) {
                           return info.param == Dialect::FastDds ? "FastDds" : "Cyclone";
                         });

}  // namespace
}  // namespace gs_ros2
