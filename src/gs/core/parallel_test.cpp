// SPDX-License-Identifier: Apache-2.0
#include "gs/core/parallel.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace gs {
namespace {

class ParallelFor : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { setThreadCount(GetParam()); }
  void TearDown() override { setThreadCount(0); }
};

TEST_P(ParallelFor, VisitsEveryItemOnce) {
  for (const size_t count : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    std::vector<int> visits(count);
    parallelFor(count, 8, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), static_cast<int>(count));
    for (const int n : visits) EXPECT_EQ(n, 1);
  }
}

TEST_P(ParallelFor, ReducesToTheSameBitsForAnyNumberOfThreads) {
  const auto sum = parallelReduce(
      100'000, 64, 0.0f,
      [](size_t begin, size_t end) {
        float part = 0;
        for (size_t i = begin; i < end; ++i) part += std::sin(static_cast<float>(i));
        return part;
      },
      [](float a, float b) { return a + b; });
  setThreadCount(1);
  const auto serial = parallelReduce(
      100'000, 64, 0.0f,
      [](size_t begin, size_t end) {
        float part = 0;
        for (size_t i = begin; i < end; ++i) part += std::sin(static_cast<float>(i));
        return part;
      },
      [](float a, float b) { return a + b; });
  EXPECT_EQ(sum, serial);
}

TEST_P(ParallelFor, RethrowsTheFirstFailureByPosition) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      parallelFor(100, 1, [](size_t begin, size_t) {
        if (begin >= 40) throw std::runtime_error(std::to_string(begin));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "40");
    }
  }
}

TEST_P(ParallelFor, Nests) {
  std::vector<int> totals(10);
  parallelFor(10, 1, [&](size_t outer, size_t) {
    totals[outer] = parallelReduce(
        100, 10, 0, [](size_t begin, size_t end) { return static_cast<int>(end - begin); },
        [](int a, int b) { return a + b; });
  });
  for (const int total : totals) EXPECT_EQ(total, 100);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(1, 2, 8));

}  // namespace
}  // namespace gs
