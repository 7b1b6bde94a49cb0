// SPDX-License-Identifier: Apache-2.0
#include "gs/core/time.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Time, AnHourOfHundredHertzStepsIsExact) {
  Stamp t;
  const Duration dt = *findDuration(0.01);
  for (int i = 0; i < 360'000; ++i) t = t + dt;
  EXPECT_EQ(t.ns, 3600LL * 1'000'000'000);
}

TEST(Time, RefusesSecondsThatNanosecondsCannotHold) {
  EXPECT_FALSE(findDuration(std::nan("")));
  EXPECT_FALSE(findDuration(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(findDuration(1e10));
  EXPECT_EQ(findDuration(-1.5)->ns, -1'500'000'000);
}

TEST(Time, SecondsAndNanosecondsRoundDownLikeRos) {
  EXPECT_EQ(toSecNanosec({1}), (SecNanosec{0, 1}));
  EXPECT_EQ(toSecNanosec({-1}), (SecNanosec{-1, 999'999'999}));
  for (const int64_t ns : {0LL, 1LL, -1LL, 1'700'000'000'123'456'789LL, -2'000'000'000LL})
    EXPECT_EQ(fromSecNanosec(toSecNanosec({ns})).ns, ns);
  EXPECT_EQ(toSecNanosec({std::numeric_limits<int64_t>::max()}).sec, 2147483647);
}

TEST(Time, UnixSecondsKeepMicroseconds) {
  EXPECT_DOUBLE_EQ(toSeconds(Stamp{1'700'000'000'123'456'000}), 1700000000.123456);
  EXPECT_DOUBLE_EQ(toSeconds(Duration{-250'000'000}), -0.25);
}

TEST(Time, DecimalSecondsKeepEveryNanosecond) {
  EXPECT_EQ(toDecimalSeconds({1'772'359'200'083'333'333}), "1772359200.083333333");
  for (const int64_t ns : {0LL, 1LL, -1LL, 1'700'000'000'123'456'789LL, -2'000'000'001LL})
    EXPECT_EQ(findDecimalSeconds(toDecimalSeconds({ns})), Stamp{ns});
  EXPECT_EQ(findDecimalSeconds("12.5"), Stamp{12'500'000'000});
  EXPECT_EQ(findDecimalSeconds("12"), Stamp{12'000'000'000});
  for (const char* text : {"", "-", ".5", "1.", "1e3", "1.0000000001", "99999999999", "1.5x"})
    EXPECT_FALSE(findDecimalSeconds(text)) << text;
}

TEST(Time, IsoTextLeadsThereAndBack) {
  EXPECT_EQ(toIso8601({0}), "1970-01-01T00:00:00Z");
  for (const char* text :
       {"2026-02-14T10:30:00Z", "2024-02-29T23:59:59.5Z", "1969-12-31T23:59:59.000000001Z"}) {
    const auto stamp = findIso8601(text);
    ASSERT_TRUE(stamp) << text;
    EXPECT_EQ(toIso8601(*stamp), text);
  }
  EXPECT_EQ(findIso8601("2026-02-14T19:30:00+09:00"), findIso8601("2026-02-14T10:30:00Z"));
}

TEST(Time, IsoTextThatIsNoTimeIsRefused) {
  for (const char* text : {"", "2026-02-30T00:00:00Z", "2026-02-14", "2026-02-14T10:30:00",
                           "2026-02-14T25:00:00Z", "2026-02-14T10:30:00Zx", "9999-01-01T00:00:00Z",
                           "2026-02-14T10:30:00.Z", "2026-02-14T10:30:00.0000000001Z"})
    EXPECT_FALSE(findIso8601(text)) << text;
}

}  // namespace
}  // namespace gs
