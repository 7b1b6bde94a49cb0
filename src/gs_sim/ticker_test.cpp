// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ticker.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

using namespace std::chrono_literals;

TEST(Ticker, IsDueOncePerPeriodHoweverOftenItIsAsked) {
  Ticker ticker(100ms);
  const Ticker::Clock::time_point start(1000s);
  int due = 0;
  for (auto after = 0ms; after < 1000ms; after += 7ms) due += ticker.isDue(start + after);
  EXPECT_EQ(due, 10);  // at 0, 100, ... 900 ms: nothing is lost between askings
  EXPECT_EQ(ticker.next(), start + 1000ms);
}

TEST(Ticker, DoesNotMakeUpForWhatWasMissed) {
  Ticker ticker(100ms);
  const Ticker::Clock::time_point start(1000s);
  EXPECT_TRUE(ticker.isDue(start));
  EXPECT_TRUE(ticker.isDue(start + 5s));
  EXPECT_FALSE(ticker.isDue(start + 5s));
  EXPECT_EQ(ticker.next(), start + 5100ms);
}

}  // namespace
}  // namespace gs_sim
