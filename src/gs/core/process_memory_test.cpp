// SPDX-License-Identifier: Apache-2.0
#include "gs/core/process_memory.hpp"

#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(ProcessMemory, PeakCountsWhatWasOnceUsed) {
  const size_t before = peakMemory();
  ASSERT_GT(before, size_t{1} << 20);
  // More than there ever was, so that it alone is a new peak.
  std::vector<char> touched(before + (size_t{64} << 20), 1);
  const size_t peak = peakMemory();
  EXPECT_GE(peak, touched.size());
  EXPECT_LT(peak, 2 * touched.size());
  touched = {};
  EXPECT_GE(peakMemory(), peak) << "what was given back still counts";
}

TEST(ProcessMemory, TheMachineHasSomeLeftButNotMoreThanItHas) {
  const auto all =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(availableMemory(), size_t{1} << 20);
  EXPECT_LT(availableMemory(), all);
}

}  // namespace
}  // namespace gs
