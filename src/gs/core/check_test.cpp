// SPDX-License-Identifier: Apache-2.0
#include "gs/core/check.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Check, StaysSilentWhenTheConditionHolds) {
  GS_CHECK((1 + 1) == 2);
  GS_CHECK(true);
}

TEST(CheckDeathTest, PrintsBothOperands) {
  const int width = 3;
  EXPECT_DEATH(GS_CHECK(width == 4), "width == 4 \\(3 == 4\\)");
  EXPECT_DEATH(GS_CHECK(width > 7), "\\(3 > 7\\)");
  const bool is_ready = false;
  EXPECT_DEATH(GS_CHECK(is_ready), "is_ready");
}

}  // namespace
}  // namespace gs
