// SPDX-License-Identifier: Apache-2.0
#include "gs/core/rng.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Rng, SameSeedSameNumbersForever) {
  Rng rng(42);
  // Pinned: a change here changes every generated world.
  EXPECT_EQ(rng.next(), 15021278609987233951ULL);
  EXPECT_EQ(Rng(42).next(), 15021278609987233951ULL);
  EXPECT_NE(Rng(43).next(), Rng(42).next());
}

TEST(Rng, UniformAndNormalHaveTheirMoments) {
  Rng rng(7);
  double sum = 0, sum_normal = 0, squares = 0;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    const double n = rng.normal();
    sum_normal += n;
    squares += n * n;
  }
  EXPECT_NEAR(sum / kCount, 0.5, 0.005);
  EXPECT_NEAR(sum_normal / kCount, 0.0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0, 0.02);
}

TEST(Rng, BelowStaysBelow) {
  Rng rng(1);
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) ++seen[rng.below(3)];
  for (const int count : seen) EXPECT_GT(count, 800);
}

TEST(Rng, ForksDifferFromEachOtherAndFromTheirParent) {
  const Rng parent(5);
  EXPECT_NE(parent.fork(0).next(), parent.fork(1).next());
  EXPECT_EQ(parent.fork(3).next(), parent.fork(3).next());
  Rng same = parent;
  EXPECT_NE(parent.fork(0).next(), same.next());
}

}  // namespace
}  // namespace gs
