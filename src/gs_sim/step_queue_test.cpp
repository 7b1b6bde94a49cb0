// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/step_queue.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StepQueue, EachIsAnsweredAfterItsLastStepInTheOrderOfAsking) {
  StepQueue queue;
  std::vector<std::string> answers;
  const auto answer = [&answers](const char* who) {
    return [&answers, who](const RequestResult& result) {
      EXPECT_TRUE(result.success);
      answers.emplace_back(who);
    };
  };
  queue.ask(2, answer("first"));
  queue.ask(1, answer("second"));
  queue.stepped();
  EXPECT_THAT(answers, IsEmpty());
  queue.stepped();
  EXPECT_THAT(answers, ElementsAre("first"));
  EXPECT_FALSE(queue.isEmpty());
  queue.stepped();
  EXPECT_THAT(answers, ElementsAre("first", "second"));
  EXPECT_TRUE(queue.isEmpty());
  queue.stepped();  // nobody asked for this one
  EXPECT_TRUE(queue.isEmpty());
}

TEST(StepQueue, WhoeverIsAnsweredMayAskAgain) {
  StepQueue queue;
  int answers = 0;
  queue.ask(1, [&](const RequestResult&) {
    ++answers;
    queue.ask(1, [&](const RequestResult&) { ++answers; });
  });
  queue.stepped();
  EXPECT_EQ(answers, 1);
  queue.stepped();
  EXPECT_EQ(answers, 2);
}

TEST(StepQueue, NoStepsAreDoneAtOnce) {
  StepQueue queue;
  bool is_answered = false;
  queue.ask(0, [&](const RequestResult&) { is_answered = true; });
  EXPECT_TRUE(is_answered);
  EXPECT_TRUE(queue.isEmpty());
}

}  // namespace
}  // namespace gs_sim
