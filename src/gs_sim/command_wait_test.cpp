// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/command_wait.hpp"

#include <gmock/gmock.h>

#include "gs_sim/testing/fake_wire.hpp"

namespace gs_sim {
namespace {

using ::testing::ElementsAre;
using testing::FakeWire;
using ::testing::IsEmpty;

ControlInput speed(double value) {
  ControlInput command;
  command.speed = value;
  return command;
}

TEST(CommandWait, TheWireThatWasOpenedLastCounts) {
  FakeWire first("ros2"), second("browser");
  first.control = speed(1);
  second.control = speed(2);
  const StepInfo last{.step = 7};
  auto heard = awaitCommand({&first, &second}, last, false);
  ASSERT_TRUE(heard.command);
  EXPECT_EQ(heard.command->from, "browser");
  EXPECT_EQ(heard.command->command.speed, 2);
  EXPECT_THAT(first.asked_after, ElementsAre(last));

  first.control = speed(1);
  heard = awaitCommand({&first, &second}, last, false);
  ASSERT_TRUE(heard.command);
  EXPECT_EQ(heard.command->from, "ros2");
  EXPECT_FALSE(awaitCommand({&first, &second}, last, false).command);
}

TEST(CommandWait, BesideAScriptOnlyThoseAreAskedWhoMayTakeTheWheel) {
  FakeWire polite("ros2", false), bold("browser", true);
  polite.control = speed(1);
  EXPECT_FALSE(awaitCommand({&polite, &bold}, {}, true).command);
  EXPECT_THAT(polite.asked_after, IsEmpty());  // nor is it waited for
  EXPECT_EQ(bold.asked_after.size(), 1u);
}

TEST(CommandWait, AWaitThatWasInterruptedMakesNoStep) {
  FakeWire waiting("ros2"), other("browser");
  EXPECT_FALSE(awaitCommand({&waiting, &other}, {}, false).was_interrupted);
  waiting.is_interrupted = true;
  EXPECT_TRUE(awaitCommand({&waiting, &other}, {}, false).was_interrupted);
}

}  // namespace
}  // namespace gs_sim
