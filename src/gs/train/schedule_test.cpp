// SPDX-License-Identifier: Apache-2.0
#include "gs/train/schedule.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Schedule, HalvesTheDivisorInEqualPartsOfTheCoarseIterations) {
  const TrainerOptions options{
      .iterations = 1000, .first_divisor = 8, .last_divisor = 2, .coarse_part = 0.4};
  const Schedule schedule{options};
  EXPECT_EQ(schedule.divisorAt(0), 8);
  EXPECT_EQ(schedule.divisorAt(199), 8);
  EXPECT_EQ(schedule.divisorAt(200), 4);
  EXPECT_EQ(schedule.divisorAt(399), 4);
  EXPECT_EQ(schedule.divisorAt(400), 2);
  EXPECT_EQ(schedule.divisorAt(999), 2);
}

TEST(Schedule, SavesWhereAskedAndAtTheEndAndLooksThereToo) {
  const TrainerOptions options{.iterations = 100, .save_iterations = {30}, .evaluate_every = 40};
  const Schedule schedule{options};
  std::vector<int> saved, evaluated;
  for (int i = 1; i <= 100; ++i) {
    if (schedule.savesAt(i)) saved.push_back(i);
    if (schedule.evaluatesAt(i)) evaluated.push_back(i);
  }
  EXPECT_EQ(saved, (std::vector{30, 100}));
  EXPECT_EQ(evaluated, (std::vector{30, 40, 80, 100}));
}

TEST(Schedule, ExpectsFineIterationsToTakeLongerThanCoarseOnes) {
  const TrainerOptions options{
      .iterations = 1000, .first_divisor = 2, .last_divisor = 1, .coarse_part = 0.5};
  const Schedule schedule{options};
  EXPECT_NEAR(schedule.remaining(0, 500, 55), 130, 1);  // 0.3 + 1/4 against 0.3 + 1
  EXPECT_EQ(schedule.remaining(0, 1000, 100), 0);
  EXPECT_EQ(schedule.remaining(0, 0, 0), 0);
}

TEST(Schedule, PositionsSlowDownAndColourGainsDegrees) {
  TrainerOptions options{.iterations = 1000, .sh_degree = 2, .sh_interval = 100};
  options.rates.position = 1e-2, options.rates.position_last = 1e-4;
  const Schedule schedule{options};
  EXPECT_NEAR(schedule.stepAt(500).position, 1e-3, 1e-8);
  EXPECT_EQ(schedule.stepAt(99).learned_degree, 0);
  EXPECT_EQ(schedule.stepAt(100).learned_degree, 1);
  EXPECT_EQ(schedule.stepAt(900).learned_degree, 2);
}

}  // namespace
}  // namespace gs
