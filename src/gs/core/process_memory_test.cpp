// SPDX-License-Identifier: Apache-2.0
#include "gs/core/process_memory.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(ProcessMemory, PeakCountsWhatWasOnceUsed) {
  const size_t before = peakMemory();
  ASSERT_GT(before, size_t{1} << 20);
  constexpr size_t kBytes = size_t{300} << 20;  // more than any other test of this program takes
  { const std::vector<char> touched(kBytes, 1); }
  EXPECT_GE(peakMemory(), kBytes);
}

TEST(ProcessMemory, TheMachineHasSomeLeft) { EXPECT_GT(availableMemory(), size_t{1} << 20); }

}  // namespace
}  // namespace gs
