// SPDX-License-Identifier: Apache-2.0
#include "gs/core/aligned.hpp"

#include <cstdint>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(AlignedVector, StartsOnACacheLineWhateverItsSize) {
  for (const size_t count : {1u, 15u, 16u, 1000u, 3'000'000u}) {
    AlignedVector<float> values(count);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(values.data()) % 64, 0u);
    std::iota(values.begin(), values.end(), 1.0f);
    values.resize(count + 1, 7.0f);
    EXPECT_EQ(values[0], 1.0f);
    EXPECT_EQ(values.back(), 7.0f);
  }
}

TEST(AlignedVector, RefusesASizeThatOverflows) {
  AlignedAllocator<double> allocator;
  EXPECT_THROW(allocator.allocate(std::numeric_limits<size_t>::max() / 4), std::bad_alloc);
}

}  // namespace
}  // namespace gs
