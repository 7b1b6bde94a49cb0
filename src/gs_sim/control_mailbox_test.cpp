// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/control_mailbox.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

ControlInput command(int64_t stamp, double speed) {
  ControlInput control;
  control.stamp = gs::Stamp{stamp};
  control.speed = speed;
  return control;
}

TEST(ControlMailbox, OfSeveralCommandsTheLastCounts) {
  ControlMailbox mailbox;
  EXPECT_FALSE(mailbox.take());
  mailbox.put(command(1, 1));
  mailbox.put(command(1, 2));
  EXPECT_EQ(mailbox.take()->speed, 2);
  EXPECT_FALSE(mailbox.take());
  EXPECT_EQ(mailbox.receivedCount(), 2u);
}

TEST(ControlMailbox, TheFirstAnswerCountsHoweverOftenAStepIsAnswered) {
  ControlMailbox mailbox;
  mailbox.put(command(10, 1));  // nothing was shown yet
  EXPECT_FALSE(mailbox.hasAnswer());
  mailbox.await(gs::Stamp{10});
  EXPECT_FALSE(mailbox.hasAnswer());
  mailbox.put(command(10, 2));
  mailbox.put(command(10, 3));
  EXPECT_EQ(mailbox.takeAnswer()->speed, 2);
  EXPECT_FALSE(mailbox.take());
  mailbox.await(gs::Stamp{20});
  mailbox.put(command(10, 4));  // the answer to a step that was shown twice
  EXPECT_FALSE(mailbox.hasAnswer());
  mailbox.put(command(20, 5));
  EXPECT_EQ(mailbox.takeAnswer()->speed, 5);
}

TEST(ControlMailbox, StampsThatNoStepHadAreTakenAsOfNow) {
  ControlMailbox mailbox;
  mailbox.await(gs::Stamp{10});
  mailbox.put(command(1'000'000, 1));  // of the wall clock
  EXPECT_EQ(mailbox.takeAnswer()->speed, 1);
}

TEST(ControlMailbox, AfterTimeWasSetBackOldAnswersAreNone) {
  ControlMailbox mailbox;
  mailbox.await(gs::Stamp{10});
  mailbox.await(gs::Stamp{20});
  mailbox.put(command(20, 1));
  mailbox.forget();
  EXPECT_FALSE(mailbox.hasAnswer());
  EXPECT_FALSE(mailbox.take());
  mailbox.await(gs::Stamp{0});
  mailbox.put(command(20, 2));  // was under way
  EXPECT_FALSE(mailbox.hasAnswer());
  mailbox.put(command(0, 3));
  EXPECT_EQ(mailbox.takeAnswer()->speed, 3);
}

}  // namespace
}  // namespace gs_sim
