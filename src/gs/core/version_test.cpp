// SPDX-License-Identifier: Apache-2.0
#include "gs/core/version.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Version, ReadsThreeNumbersAndNothingElse) {
  EXPECT_EQ(findVersion("1.20.3"), (Version{1, 20, 3}));
  for (const char* text : {"", "1", "1.0", "1.0.0.0", "1.0.x", "-1.0.0", "1.0.-1", "v1.0.0",
                           "1.0.0 ", "99999999999.0.0", "1..0"})
    EXPECT_FALSE(findVersion(text)) << text;
  EXPECT_EQ(toString(Version{1, 2, 3}), "1.2.3");
}

TEST(Version, OnlyTheMajorNumberBreaks) {
  EXPECT_EQ(compatibilityOf({1, 0, 9}), Compatibility::Ok);
  EXPECT_EQ(compatibilityOf({1, 4, 0}), Compatibility::NewerMinor);
  EXPECT_EQ(compatibilityOf({2, 0, 0}), Compatibility::Unsupported);
  EXPECT_EQ(compatibilityOf({0, 9, 0}), Compatibility::Unsupported);
}

}  // namespace
}  // namespace gs
