// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/sensor_trigger.hpp"

#include <cstdlib>
#include <vector>

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

using ::testing::ElementsAre;

constexpr gs::Duration kTenMs{10'000'000};

std::vector<int64_t> firings(double rate_hz, gs::Duration dt, int64_t steps) {
  std::vector<int64_t> fired;
  for (int64_t step = 0; step < steps; ++step)
    if (firesAt(step, rate_hz, dt)) fired.push_back(step);
  return fired;
}

TEST(SensorTrigger, TwelveHertzFiresAtTheStepsNearestToItsPeriods) {
  EXPECT_THAT(firings(12, kTenMs, 30), ElementsAre(0, 8, 17, 25));
}

TEST(SensorTrigger, TwelveHertzFiresExactly120TimesInTenSecondsEachWithinFiveMilliseconds) {
  const auto fired = firings(12, kTenMs, 1000);
  ASSERT_EQ(fired.size(), 120u);
  for (size_t k = 0; k < fired.size(); ++k)
    EXPECT_LE(std::abs(static_cast<double>(fired[k]) * 0.01 - static_cast<double>(k) / 12), 0.005);
}

TEST(SensorTrigger, ARecordedRateIsKept) {
  for (const int64_t dt_ms : {1, 5, 10}) {
    const gs::Duration dt{dt_ms * 1'000'000};
    EXPECT_EQ(firings(9.68, dt, 100'000 / dt_ms).size(), 968u) << dt_ms;
  }
}

TEST(SensorTrigger, NoRateLosesATriggerInAnHour) {
  for (const double rate_hz : {0.1, 1.0, 7.0, 10.0, 12.0, 20.0, 29.97, 30.0, 33.3})
    EXPECT_NEAR(static_cast<double>(firings(rate_hz, kTenMs, 360'000).size()), rate_hz * 3600, 0.51)
        << rate_hz;
}

TEST(SensorTrigger, ASensorFasterThanTheStepsFiresAtEveryStep) {
  EXPECT_EQ(firings(1000, kTenMs, 50).size(), 50u);
  EXPECT_EQ(firings(100, kTenMs, 50).size(), 50u);
}

TEST(SensorTrigger, AFarStepAnswersWithoutCountingUpToIt) {
  constexpr int64_t kTenYears = 31'557'600'000;
  EXPECT_TRUE(firesAt(kTenYears, 20, kTenMs));
  EXPECT_FALSE(firesAt(kTenYears + 1, 20, kTenMs));
}

}  // namespace
}  // namespace gs_sim
