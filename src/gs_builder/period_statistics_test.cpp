// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/period_statistics.hpp"

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

PeriodStatistics at12HzWithOneGap() {
  PeriodStatistics periods;
  for (int i = 0; i < 1000; ++i)
    periods.add({i == 500 ? 250'000'000 : 83'333'333}, {i * 1'000'000'000LL});
  return periods;
}

TEST(PeriodStatistics, CountWhatIsMissingInTheRateAndFindTheGap) {
  const PeriodStatistics periods = at12HzWithOneGap();
  EXPECT_NEAR(periods.rateHz(), 12 * 1000 / 1002.0, 1e-5);
  EXPECT_NEAR(periods.steadyRateHz(), 12, 1e-5);
  EXPECT_FALSE(periods.isBursty());
  EXPECT_EQ(periods.gaps(), 1u);
  EXPECT_DOUBLE_EQ(periods.longest(), 0.25);
  EXPECT_EQ(periods.longestAt().ns, 500'000'000'000);
}

TEST(PeriodStatistics, AreNotFooledByPeriodsOfTwoLengths) {
  PeriodStatistics periods;  // a camera of 12 Hz that waits for a LiDAR of 20 Hz
  for (int i = 0; i < 200; ++i) periods.add({i % 3 == 0 ? 50'000'000 : 100'000'000}, {0});
  EXPECT_NEAR(periods.rateHz(), 12, 0.1);
}

TEST(PeriodStatistics, AFewMessagesInBurstsAreNoFastTopic) {
  PeriodStatistics periods;
  for (const int64_t ns : {150'000LL, 150'000LL, 9'000'000'000LL, 150'000LL, 150'000LL})
    periods.add({ns}, {0});
  EXPECT_NEAR(periods.rateHz(), 5 / 9.0006, 1e-6);
  EXPECT_TRUE(periods.isBursty());
  PeriodStatistics at_once;
  for (int i = 0; i < 5; ++i) at_once.add({150'000}, {0});
  EXPECT_EQ(at_once.rateHz(), 0);
}

TEST(PeriodStatistics, HaveNoRateWithoutPeriods) {
  EXPECT_EQ(PeriodStatistics().rateHz(), 0);
  EXPECT_EQ(PeriodStatistics().gaps(), 0u);
  PeriodStatistics burst;  // all at once
  for (int i = 0; i < 5; ++i) burst.add({0}, {0});
  EXPECT_EQ(burst.rateHz(), 0);
}

TEST(PeriodStatistics, SurviveAbsurdPeriods) {
  PeriodStatistics periods;
  periods.add({-5}, {0});
  periods.add({INT64_MAX}, {0});
  EXPECT_GT(periods.longest(), 9e9);
}

}  // namespace
}  // namespace gs_builder
