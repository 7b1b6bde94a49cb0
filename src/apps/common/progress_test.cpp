// SPDX-License-Identifier: Apache-2.0
#include "apps/common/progress.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace apps {
namespace {

TEST(Progress, EstimatesTheTimeLeftFromWhatIsDone) {
  EXPECT_EQ(Progress::timeLeft(10, 0.5), "0:10 left");
  EXPECT_EQ(Progress::timeLeft(60, 0.25), "3:00 left");
  EXPECT_EQ(Progress::timeLeft(3600, 0.5), "1:00:00 left");
  EXPECT_EQ(Progress::timeLeft(0.1, 0.5), "");  // too early to say
  EXPECT_EQ(Progress::timeLeft(10, 0), "");
}

TEST(Progress, StaysSilentForShortWork) {
  std::ostringstream out;
  for (const bool is_terminal : {false, true}) {
    Progress progress("reading", out, is_terminal);
    for (int i = 0; i <= 100; ++i) progress.update(i / 100.0);
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace apps
