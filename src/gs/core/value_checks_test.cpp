// SPDX-License-Identifier: Apache-2.0
#include "gs/core/value_checks.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace gs {
namespace {

std::vector<std::string> textsOf(ValueChecks& checks) {
  std::vector<std::string> texts;
  for (const Problem& problem : checks.take()) texts.push_back(toString(problem));
  return texts;
}

TEST(ValueChecks, GoodValuesLeaveNoTrace) {
  ValueChecks checks;
  checks.require(true, "a", "never seen");
  checks.isPositive("a", 1e-300);
  checks.isNotNegative("a", 0);
  checks.isFinite("a", -1e300);
  checks.isBetween("a", 90, -90, 90);
  checks.isAtLeast("a", 1, 1);
  checks.isCompatibleVersion("version", "1.7.3");
  EXPECT_TRUE(checks.take().empty());
}

TEST(ValueChecks, EachMessageSaysWhatIsAllowed) {
  ValueChecks checks;
  checks.isPositive("a", 0);
  checks.isNotNegative("b", -0.5);
  checks.isBetween("c", 91, -90, 90);
  checks.isAtLeast("d", 0, 1);
  checks.isCompatibleVersion("e", "2.0.0");
  checks.isCompatibleVersion("f", "1.0");
  EXPECT_THAT(textsOf(checks),
              ::testing::ElementsAre(
                  "a: 0 is not a number greater than 0", "b: -0.5 is not 0 or greater",
                  "c: 91 is not between -90 and 90", "d: 0 is less than 1",
                  "e: version 2.0.0 is not supported; this program reads 1.x, such as \"1.0.0\"",
                  "f: expected a version such as \"1.0.0\""));
}

TEST(ValueChecks, NaNAndInfinityPassNoCheck) {
  ValueChecks checks;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), infinity, -infinity}) {
    checks.isPositive("a", value);
    checks.isNotNegative("a", value);
    checks.isFinite("a", value);
    checks.isBetween("a", value, 0, 1);
  }
  EXPECT_EQ(checks.take().size(), 12U);
}

}  // namespace
}  // namespace gs
