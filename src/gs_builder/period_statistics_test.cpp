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

TEST(PeriodStatistics, FindTheRateDespiteAGap) {
  const PeriodStatistics periods = at12HzWithOneGap();
  EXPECT_NEAR(periods.rateHz(), 12, 1e-5);
  EXPECT_EQ(periods.gaps(), 1u);
  EXPECT_DOUBLE_EQ(periods.longest(), 0.25);
  EXPECT_EQ(periods.longestAt().ns, 500'000'000'000);
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
