// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/action_goals.hpp"

#include <map>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Code = msgs::CancelGoalResponse;

constexpr gs::Stamp kNow{1'000'000'000};
constexpr gs::Duration kSecond{1'000'000'000};

GoalId idOf(int n) {
  GoalId id;
  for (size_t i = 0; i < 4; ++i) id.uuid[i] = static_cast<uint8_t>(n >> (8 * i));
  return id;
}

std::vector<std::byte> bytesOf(int n) { return {static_cast<std::byte>(n)}; }
const std::vector<std::byte> kNoResult = bytesOf(0);

// Brings goal `n` to a state along the shortest way.
void bring(ActionGoals& goals, int n, GoalState to) {
  const GoalId id = idOf(n);
  goals.accept(id, {n * kSecond.ns});
  if (to == GoalState::Accepted) return;
  if (to == GoalState::Canceling || to == GoalState::Canceled) goals.requestCancel(id);
  else goals.execute(id);
  if (!isActive(to)) goals.end(id, to, bytesOf(n), kNow);
  ASSERT_EQ(goals.state(id), to);
}

msgs::CancelGoalRequest request(int n, int32_t sec) {
  return {{.goal_id = n == 0 ? GoalId{} : idOf(n), .stamp = {sec, 0}}};
}

std::vector<int> namesIn(const msgs::CancelGoalResponse& response) {
  std::vector<int> names;
  for (const auto& goal : response.goals_canceling) names.push_back(goal.goal_id.uuid[0]);
  return names;
}

TEST(ActionGoals, StatesChangeAsTheDesignOfActionsSays) {
  using enum GoalState;
  const std::map<GoalState, std::vector<GoalState>> allowed = {
      {Accepted, {Executing, Canceling}},
      {Executing, {Canceling, Succeeded, Aborted}},
      {Canceling, {Succeeded, Canceled, Aborted}}};
  for (const GoalState from : {Accepted, Executing, Canceling, Succeeded, Canceled, Aborted})
    for (const GoalState to : {Executing, Canceling, Succeeded, Canceled, Aborted}) {
      ActionGoals goals(kNoResult);
      bring(goals, 1, from);
      const bool did = to == Executing   ? goals.execute(idOf(1))
                       : to == Canceling ? goals.requestCancel(idOf(1))
                                         : goals.end(idOf(1), to, {}, kNow);
      const auto known = allowed.find(from);
      const bool may =
          known != allowed.end() && std::count(known->second.begin(), known->second.end(), to) > 0;
      EXPECT_EQ(did, may) << static_cast<int>(from) << " -> " << static_cast<int>(to);
      EXPECT_EQ(goals.state(idOf(1)), may ? to : from);
    }
}

TEST(ActionGoals, NoGoalEndsInAStateThatIsNoEnd) {
  ActionGoals goals(kNoResult);
  bring(goals, 1, GoalState::Accepted);
  EXPECT_FALSE(goals.end(idOf(1), GoalState::Executing, {}, kNow));
  EXPECT_FALSE(goals.end(idOf(1), GoalState::Unknown, {}, kNow));
  EXPECT_EQ(goals.state(idOf(1)), GoalState::Accepted);
}

TEST(ActionGoals, WhatNobodyKnowsIsUnknown) {
  ActionGoals goals(kNoResult);
  EXPECT_EQ(goals.state(idOf(1)), GoalState::Unknown);
  EXPECT_FALSE(goals.execute(idOf(1)));
  EXPECT_FALSE(goals.requestCancel(idOf(1)));
  EXPECT_FALSE(goals.end(idOf(1), GoalState::Succeeded, {}, kNow));
}

TEST(ActionGoals, AnIdIsUsedOnceWhileItIsKnown) {
  ActionGoals goals(kNoResult);
  bring(goals, 1, GoalState::Succeeded);
  EXPECT_FALSE(goals.hasRoomFor(idOf(1)));
  EXPECT_TRUE(goals.hasRoomFor(idOf(2)));
  goals.expire(kNow + ActionGoals::kResultTimeout + kSecond);
  EXPECT_TRUE(goals.hasRoomFor(idOf(1)));
}

TEST(ActionGoals, CancelRequestsNameGoalsByIdByStampOrAll) {
  ActionGoals goals(kNoResult);
  bring(goals, 1, GoalState::Executing);
  bring(goals, 2, GoalState::Accepted);
  bring(goals, 3, GoalState::Executing);
  bring(goals, 4, GoalState::Succeeded);
  bring(goals, 5, GoalState::Canceling);

  EXPECT_THAT(namesIn(goals.namedBy(request(0, 0))), ElementsAre(1, 2, 3));
  EXPECT_THAT(namesIn(goals.namedBy(request(0, 2))), ElementsAre(1, 2));
  EXPECT_THAT(namesIn(goals.namedBy(request(3, 0))), ElementsAre(3));
  EXPECT_THAT(namesIn(goals.namedBy(request(3, 1))), ElementsAre(1, 3));
  EXPECT_THAT(namesIn(goals.namedBy(request(9, 1))), ElementsAre(1));
  EXPECT_THAT(namesIn(goals.namedBy(request(0, -7))), IsEmpty());
  EXPECT_EQ(goals.namedBy(request(3, 0)).goals_canceling[0].stamp, (msgs::Time{3, 0}));

  EXPECT_EQ(goals.namedBy(request(9, 0)).return_code, Code::kUnknownGoalId);
  EXPECT_EQ(goals.namedBy(request(4, 0)).return_code, Code::kGoalTerminated);
  EXPECT_EQ(goals.namedBy(request(5, 0)).return_code, Code::kGoalTerminated);  // as rcl_action
  for (const auto& fits : {request(0, 0), request(0, 2), request(3, 0), request(9, 1)})
    EXPECT_EQ(goals.namedBy(fits).return_code, Code::kNone);
  EXPECT_EQ(goals.state(idOf(1)), GoalState::Executing) << "asking changes nothing";
}

TEST(ActionGoals, EveryoneWhoWaitsGetsTheResultOnce) {
  ActionGoals goals(kNoResult);
  bring(goals, 1, GoalState::Executing);
  bring(goals, 2, GoalState::Executing);
  std::vector<int> heard;
  const auto hear = [&heard](int who) {
    return [&heard, who](gs::Bytes bytes) {
      heard.push_back(10 * who + std::to_integer<int>(bytes[0]));
    };
  };
  goals.awaitResult(idOf(1), hear(1));
  goals.awaitResult(idOf(2), hear(2));
  goals.awaitResult(idOf(1), hear(3));
  EXPECT_THAT(heard, IsEmpty());
  ASSERT_TRUE(goals.end(idOf(1), GoalState::Aborted, bytesOf(5), kNow));
  EXPECT_THAT(heard, ElementsAre(15, 35));
  goals.awaitResult(idOf(1), hear(4));  // while the result is kept
  goals.awaitResult(idOf(7), hear(6));  // never heard of
  EXPECT_THAT(heard, ElementsAre(15, 35, 45, 60));
  goals.expire(kNow + ActionGoals::kResultTimeout);
  goals.awaitResult(idOf(1), hear(4));
  goals.expire(kNow + ActionGoals::kResultTimeout + kSecond);
  goals.awaitResult(idOf(1), hear(4));
  EXPECT_THAT(heard, ElementsAre(15, 35, 45, 60, 45, 40));
  EXPECT_EQ(goals.state(idOf(2)), GoalState::Executing) << "what has not ended never expires";
  EXPECT_EQ(goals.waitingCount(), 1u);
}

TEST(ActionGoals, StatusListsAllInTheOrderOfAcceptance) {
  ActionGoals goals(kNoResult);
  bring(goals, 3, GoalState::Aborted);
  bring(goals, 1, GoalState::Executing);
  const auto list = goals.status().status_list;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], (msgs::GoalStatus{{idOf(3), {3, 0}}, msgs::GoalStatus::kAborted}));
  EXPECT_EQ(list[1], (msgs::GoalStatus{{idOf(1), {1, 0}}, msgs::GoalStatus::kExecuting}));
  goals.expire(kNow + ActionGoals::kResultTimeout + kSecond);
  EXPECT_EQ(goals.status().status_list.size(), 1u);
}

TEST(ActionGoals, AFloodOfGoalsIsRefusedAndOldEndsMakeRoom) {
  ActionGoals goals(kNoResult);
  const int max = static_cast<int>(ActionGoals::kMaxGoals);
  for (int n = 1; n <= max; ++n) bring(goals, n, GoalState::Executing);
  EXPECT_FALSE(goals.hasRoomFor(idOf(max + 1)));
  goals.end(idOf(7), GoalState::Succeeded, {}, kNow);
  goals.end(idOf(5), GoalState::Succeeded, {}, kNow);
  ASSERT_TRUE(goals.hasRoomFor(idOf(max + 1)));
  goals.accept(idOf(max + 1), kNow);
  EXPECT_EQ(goals.state(idOf(5)), GoalState::Unknown) << "the oldest makes room";
  EXPECT_EQ(goals.state(idOf(7)), GoalState::Succeeded);
  EXPECT_EQ(goals.status().status_list.size(), ActionGoals::kMaxGoals);
}

TEST(ActionGoals, AFloodOfQuestionsIsAnsweredAtOnce) {
  ActionGoals goals(kNoResult);
  bring(goals, 1, GoalState::Executing);
  size_t refused = 0, answered = 0;
  for (size_t i = 0; i < ActionGoals::kMaxWaiting + 10; ++i)
    goals.awaitResult(idOf(1),
                      [&](gs::Bytes bytes) { ++(bytes[0] == kNoResult[0] ? refused : answered); });
  EXPECT_EQ(refused, 10u);
  EXPECT_EQ(answered, 0u);
  goals.end(idOf(1), GoalState::Succeeded, bytesOf(1), kNow);
  EXPECT_EQ(answered, ActionGoals::kMaxWaiting);
}

// Whatever clients and server do, in any order: nothing grows beyond its bound, and each question
// has exactly one answer once all goals have ended.
TEST(ActionGoals, AnythingInAnyOrderKeepsTheBounds) {
  gs::Rng rng(5);
  ActionGoals goals(kNoResult);
  gs::Stamp real = kNow;
  size_t asked = 0, answered = 0;
  for (int i = 0; i < 50'000; ++i) {
    const GoalId id = idOf(1 + static_cast<int>(rng.below(200)));
    real = real + gs::Duration{static_cast<int64_t>(rng.below(2'000'000'000))};
    switch (rng.below(7)) {
      case 0:
        if (goals.hasRoomFor(id)) goals.accept(id, {static_cast<int64_t>(rng.below(1000))});
        break;
      case 1: goals.execute(id); break;
      case 2:
        for (const auto& goal :
             goals.namedBy({{id, {0, static_cast<uint32_t>(rng.below(9))}}}).goals_canceling)
          EXPECT_TRUE(goals.requestCancel(goal.goal_id));
        break;
      case 3: goals.end(id, static_cast<GoalState>(4 + rng.below(3)), bytesOf(1), real); break;
      case 4: goals.expire(real); break;
      default: ++asked; goals.awaitResult(id, [&answered](gs::Bytes) { ++answered; });
    }
    ASSERT_LE(goals.status().status_list.size(), ActionGoals::kMaxGoals);
    ASSERT_LE(goals.waitingCount(), ActionGoals::kMaxWaiting);
    ASSERT_EQ(asked - answered, goals.waitingCount());
  }
  for (const auto& goal : goals.status().status_list) {
    goals.execute(goal.goal_info.goal_id);
    goals.end(goal.goal_info.goal_id, GoalState::Aborted, bytesOf(1), real);
  }
  EXPECT_GT(asked, 10'000u);
  EXPECT_EQ(answered, asked);
}

}  // namespace
}  // namespace gs_ros2
