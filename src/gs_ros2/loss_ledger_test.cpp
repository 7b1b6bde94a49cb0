// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/loss_ledger.hpp"

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

constexpr int kDepth = 3;

Guid reader(uint8_t name) {
  Guid guid;
  guid.bytes[0] = name;
  return guid;
}

// A writer that keeps three messages, and its readers.
struct Writing {
  explicit Writing(std::vector<Guid> readers) {
    for (const Guid& each : readers) {
      ledger.addReader(each, now);
      answer(each, 0);  // the first word of a reliable reader
    }
  }

  void write(int count) {
    for (int i = 0; i < count; ++i) {
      ledger.beforeWrite();
      ledger.afterWrite(++newest);
      ledger.sent(newest, now);
    }
  }
  LossLedger::Range heartbeat(const Guid& destination = {}) const {
    return ledger.toName({std::max<int64_t>(1, newest - kDepth + 1), newest}, destination, now);
  }

  void answer(const Guid& who, int64_t acknowledged, const std::vector<int64_t>& missing = {}) {
    ledger.answered(who, acknowledged, missing, now);
  }

  LossLedger ledger{kDepth};
  int64_t newest = 0;
  LossLedger::Time now{};
};

using Range = LossLedger::Range;

TEST(LossLedger, WhatAReaderAcknowledgesIsNotLostHoweverLateItDoes) {
  Writing writing({reader(1)});
  writing.write(100);
  EXPECT_EQ(writing.heartbeat(), (Range{1, 100}));  // it is asked for all of them
  writing.answer(reader(1), 60);
  EXPECT_EQ(writing.heartbeat(), (Range{60, 100}));
  writing.answer(reader(1), 101);
  EXPECT_EQ(writing.heartbeat(), (Range{98, 100}));
  EXPECT_EQ(writing.ledger.lostCount(), 0u);
}

TEST(LossLedger, WhatAReaderAsksForAndNobodyHasAnyMoreIsLostOnce) {
  Writing writing({reader(1), reader(2)});
  writing.write(10);
  writing.answer(reader(2), 11);
  writing.answer(reader(1), 4, {4, 6, 8});  // 8 is still there
  EXPECT_EQ(writing.ledger.lostCount(), 2u);
  EXPECT_EQ(writing.heartbeat(), (Range{7, 10}));
  writing.answer(reader(1), 4, {4, 6});
  writing.answer(reader(1), 11);
  EXPECT_EQ(writing.ledger.lostCount(), 2u);
  EXPECT_EQ(writing.heartbeat(), (Range{8, 10}));
}

TEST(LossLedger, AMessageThatTwoReadersLackIsOneLoss) {
  Writing writing({reader(1), reader(2)});
  writing.write(10);
  writing.answer(reader(1), 2, {2});
  writing.answer(reader(2), 2, {2, 3});
  EXPECT_EQ(writing.ledger.lostCount(), 2u);
}

TEST(LossLedger, WhatWasSentOnceMoreMayStillBeOnItsWay) {
  Writing writing({reader(1)});
  writing.write(3);
  writing.answer(reader(1), 2, {2});
  writing.ledger.sent(2, writing.now);
  writing.write(3);
  writing.answer(reader(1), 2, {2, 3});  // before it has come to what was sent once more
  writing.answer(reader(1), 0, {2});     // says nothing of others
  EXPECT_EQ(writing.ledger.lostCount(), 0u);
  EXPECT_EQ(writing.heartbeat().first, 2);
  writing.now += LossLedger::kMoment;
  writing.answer(reader(1), 2, {2, 3});
  EXPECT_EQ(writing.ledger.lostCount(), 2u);
  EXPECT_EQ(writing.heartbeat().first, 4);
}

TEST(LossLedger, WhatLeavesThroughSeveralSocketsIsSentOnce) {
  Writing writing({reader(1)});
  writing.write(1);
  writing.ledger.sent(1, writing.now);
  writing.write(5);
  writing.answer(reader(1), 1, {1});
  EXPECT_EQ(writing.ledger.lostCount(), 1u);
}

TEST(LossLedger, AReaderThatVanishesOrNeverAnswersIsOwedNothing) {
  Writing writing({reader(1)});
  writing.ledger.addReader(reader(2), writing.now);  // best effort
  writing.write(50);
  writing.ledger.removeReader(reader(1));
  EXPECT_EQ(writing.heartbeat(), (Range{48, 50}));
  EXPECT_EQ(writing.ledger.lostCount(), 0u);
}

TEST(LossLedger, WhatWasWrittenBeforeAReaderFirstAnsweredIsNotOwedToIt) {
  Writing writing({});
  writing.ledger.addReader(reader(1), writing.now);
  writing.write(20);  // it has not found the writer yet
  writing.answer(reader(1), 1, {1, 2, 17, 18});
  writing.write(10);
  writing.answer(reader(1), 18, {18, 19});
  EXPECT_EQ(writing.ledger.lostCount(), 0u);
  writing.answer(reader(1), 21, {21});
  EXPECT_EQ(writing.ledger.lostCount(), 1u);
}

TEST(LossLedger, AReaderThatIsNewHearsNothingOfWhatHasGone) {
  Writing writing({reader(1)});
  writing.write(100);  // the first one is silent
  writing.ledger.addReader(reader(2), writing.now);
  EXPECT_EQ(writing.heartbeat(), (Range{98, 100}));
  EXPECT_EQ(writing.heartbeat(reader(2)), (Range{98, 100}));
  EXPECT_EQ(writing.heartbeat(reader(1)), (Range{1, 100}));  // who owes is still asked
  writing.answer(reader(2), 0);                              // its first word says nothing yet
  EXPECT_EQ(writing.heartbeat(), (Range{98, 100}));
  writing.answer(reader(2), 98);
  EXPECT_EQ(writing.heartbeat(), (Range{1, 100}));
  EXPECT_EQ(writing.heartbeat(reader(2)), (Range{98, 100}));
}

TEST(LossLedger, AReaderThatFindsTheWriterLateIsStillNew) {
  Writing writing({reader(1)});
  writing.write(100);
  writing.ledger.addReader(reader(2), writing.now);
  writing.now += 2 * LossLedger::kIntroduction;
  writing.answer(reader(2), 0);
  EXPECT_EQ(writing.heartbeat(), (Range{98, 100}));
  writing.answer(reader(2), 98);
  EXPECT_EQ(writing.heartbeat(), (Range{1, 100}));
}

TEST(LossLedger, NobodyWaitsForTheIntroductionOfABestEffortReader) {
  Writing writing({reader(1)});
  writing.write(100);
  writing.ledger.addReader(reader(2), writing.now);
  writing.now += LossLedger::kIntroduction;
  EXPECT_EQ(writing.heartbeat(), (Range{1, 100}));
}

TEST(LossLedger, HeartbeatsNameNothingThatHasNotBeenSentToItsEnd) {
  Writing writing({reader(1)});
  writing.write(2);
  writing.ledger.beforeWrite();
  writing.ledger.afterWrite(3);
  EXPECT_EQ(writing.ledger.toName({1, 3}, {}, writing.now), (Range{1, 2}));
  EXPECT_EQ(LossLedger(kDepth).toName({5, 7}, {}, {}), (Range{5, 4}));  // nothing is sent yet
}

TEST(LossLedger, AReaderThatOnlyAsksCostsNoMemoryWithoutEnd) {
  Writing writing({reader(1)});
  writing.write(30'000);
  EXPECT_GE(writing.heartbeat().first, 30'000 - kDepth - 10'000);
  EXPECT_EQ(writing.ledger.lostCount(), 30'000u - kDepth - 10'000u);
  writing.answer(reader(1), int64_t{1} << 50, {-5, int64_t{1} << 60});
  EXPECT_EQ(writing.heartbeat(), (Range{29'998, 30'000}));
}

}  // namespace
}  // namespace gs_ros2
