// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/clock_check.hpp"

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

// Every 0.1 s, 0.2 s before it was logged.
std::vector<LoggedStamp> steadyStamps(int count) {
  std::vector<LoggedStamp> stamps;
  for (int64_t i = 0; i < count; ++i)
    stamps.push_back({{i * 100'000'000 + 200'000'000}, {i * 100'000'000}});
  return stamps;
}

TEST(ClockCheck, ASteadyOffsetIsFine) {
  const ClockCheck check = checkClock(steadyStamps(50));
  EXPECT_EQ(check.jumps, 0u);
  EXPECT_EQ(check.stamps[7].ns, 700'000'000);
  EXPECT_FALSE(check.uses_log_time);
}

TEST(ClockCheck, AFewJumpsAreLeftOut) {
  auto stamps = steadyStamps(50);
  stamps[3].stamp.ns += 5'000'000'000;
  stamps[9].stamp.ns = 0;
  stamps[9].log_time.ns = 10'000'000'000;
  const ClockCheck check = checkClock(stamps);
  EXPECT_EQ(check.jumps, 2u);
  EXPECT_FALSE(check.is_usable[3]);
  EXPECT_FALSE(check.is_usable[9]);
  EXPECT_TRUE(check.is_usable[4]);
}

TEST(ClockCheck, AClockThatStepsForGoodMakesLogTimesCount) {
  auto stamps = steadyStamps(50);
  for (size_t i = 25; i < 50; ++i) stamps[i].stamp.ns += 30'000'000'000;
  const ClockCheck check = checkClock(stamps);
  EXPECT_TRUE(check.uses_log_time);
  EXPECT_EQ(check.stamps[30], stamps[30].log_time);
  EXPECT_TRUE(check.is_usable[30]);
}

TEST(ClockCheck, HeadersWithoutTimeMakeLogTimesCount) {
  auto stamps = steadyStamps(5);
  for (auto& stamp : stamps) stamp.stamp.ns = 0;
  EXPECT_TRUE(checkClock(stamps).uses_log_time);
  EXPECT_TRUE(checkClock({}).stamps.empty());
}

}  // namespace
}  // namespace gs_builder
