// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/lock_step.hpp"

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

using Action = LockStepWait::Action;
using std::chrono::milliseconds;

constexpr double kTimeout = 10;
const LockStepWait::TimePoint kStart = LockStepWait::TimePoint() + std::chrono::hours(1);

struct LockStepWaiting : ::testing::Test {
  Action at(int64_t ms, const Controllers& who) {
    return wait.next(kStart + milliseconds(ms), who, kTimeout);
  }
  LockStepWait wait;
};

TEST_F(LockStepWaiting, WithoutAControllerHasNoLimit) {
  wait.begin(kStart, {});
  wait.answered();
  EXPECT_EQ(at(1, {}), Action::Wait);
  EXPECT_EQ(at(3'600'000, {}), Action::Wait);
  // The time counts from when somebody is there.
  const Controllers one{.present = 1, .ever = 1, .commands = 0};
  EXPECT_EQ(at(3'600'001, one), Action::ShowAgain);
  EXPECT_EQ(at(3'600'002, one), Action::Wait);
  EXPECT_EQ(at(3'610'001, one), Action::GiveUp);
}

TEST_F(LockStepWaiting, ShowsTheStepToWhoeverComesUntilHeIsHeard) {
  wait.begin(kStart, {});
  Controllers who{.present = 1, .ever = 1, .commands = 0};
  EXPECT_EQ(at(10, who), Action::ShowAgain);
  EXPECT_EQ(at(50, who), Action::Wait);
  EXPECT_EQ(at(110, who), Action::ShowAgain);
  EXPECT_EQ(at(300, who), Action::Wait);
  EXPECT_EQ(at(310, who), Action::ShowAgain);
  who.commands = 1;  // of whatever stamp: it gets through
  EXPECT_EQ(at(5000, who), Action::Wait);
  who = {.present = 2, .ever = 2, .commands = 1};
  EXPECT_EQ(at(5001, who), Action::ShowAgain);
  EXPECT_EQ(at(5101, who), Action::ShowAgain);
}

TEST_F(LockStepWaiting, SomebodyWhoWasThereWhenItWasShownIsNotShownItAtOnce) {
  const Controllers who{.present = 1, .ever = 1, .commands = 0};
  wait.begin(kStart, who);
  EXPECT_EQ(at(1, who), Action::Wait);
  EXPECT_EQ(at(100, who), Action::ShowAgain);
}

TEST_F(LockStepWaiting, ASlowControllerIsNotShownAStepTwice) {
  wait.begin(kStart, {.present = 1, .ever = 1, .commands = 0});
  const Controllers who{.present = 1, .ever = 1, .commands = 1};
  wait.answered();
  wait.begin(kStart + milliseconds(10), who);
  for (int64_t ms = 20; ms < 10'000; ms += 100) EXPECT_EQ(at(ms, who), Action::Wait) << ms;
  EXPECT_EQ(at(10'010, who), Action::GiveUp);
}

TEST_F(LockStepWaiting, TheFirstStepIsNeverMadeWithoutACommand) {
  const Controllers who{.present = 1, .ever = 1, .commands = 7};
  wait.begin(kStart, who);
  EXPECT_EQ(at(10'000, who), Action::Complain);
  const Action later = at(60'000, who);
  EXPECT_TRUE(later == Action::Wait || later == Action::ShowAgain);
  wait.answered();
  wait.restart();
  wait.begin(kStart, who);
  EXPECT_EQ(at(20'000, who), Action::Complain);
}

TEST_F(LockStepWaiting, AControllerThatLeavesStopsTheClock) {
  Controllers who{.present = 1, .ever = 1, .commands = 5};
  wait.begin(kStart, who);
  wait.answered();
  who.present = 0;
  EXPECT_EQ(at(9'999, who), Action::Wait);
  EXPECT_EQ(at(50'000, who), Action::Wait);
  who = {.present = 1, .ever = 2, .commands = 5};
  EXPECT_EQ(at(50'001, who), Action::ShowAgain);
  EXPECT_NE(at(60'000, who), Action::GiveUp);
  EXPECT_EQ(at(60'001, who), Action::GiveUp);
}

TEST_F(LockStepWaiting, WakesForItsLimitAndOftenEnoughForCtrlC) {
  wait.begin(kStart, {});
  EXPECT_EQ(wait.wakeAt(kStart, 0.05), kStart + milliseconds(50));
  EXPECT_EQ(wait.wakeAt(kStart, 10), kStart + milliseconds(100));
  EXPECT_EQ(wait.wakeAt(kStart + milliseconds(60), 0.05), kStart + milliseconds(160));
}

}  // namespace
}  // namespace gs_ros2
