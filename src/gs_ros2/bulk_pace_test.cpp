// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/bulk_pace.hpp"

#include <limits>

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

constexpr int32_t kSocketBytes = 212'992;  // what Linux gives to a socket that asks for nothing
const BulkStream kCamera{3 * 640 * 480, 12};

TEST(BulkPace, ThreeCamerasFitIntoASmallSocketAndAreOutSoon) {
  const int32_t pace = bulkBytesPerMs({kCamera, kCamera, kCamera}, 1);
  EXPECT_LT(pace, kSocketBytes / 2);
  EXPECT_LT(3 * kCamera.bytes / pace, 30);  // ms
}

TEST(BulkPace, ASmallSocketComesBeforeHasteAndTheNextImageBeforeBoth) {
  const std::vector<BulkStream> five(5, kCamera), nine(9, kCamera);
  EXPECT_LT(bulkBytesPerMs(five, 1), kSocketBytes / 2);
  EXPECT_GT(bulkBytesPerMs(nine, 1), kSocketBytes);
}

TEST(BulkPace, IsSeveralTimesWhatIsDueHoweverFastTimeRuns) {
  for (const double factor : {0.1, 1.0, 5.0}) {
    const double due_per_ms = 3 * kCamera.bytes * kCamera.rate_hz * factor / 1000;
    EXPECT_GE(bulkBytesPerMs({kCamera, kCamera, kCamera}, factor), 2.5 * due_per_ms) << factor;
  }
  EXPECT_GT(bulkBytesPerMs({kCamera}, 0), bulkBytesPerMs({kCamera}, 5));
}

TEST(BulkPace, ASlowSensorIsNotSentSlowly) {
  EXPECT_GE(bulkBytesPerMs({{0.9e6, 0.5}}, 1), 0.9e6 / 30);
}

TEST(BulkPace, IsWholeDatagramsAndNeverNothing) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& streams : {std::vector<BulkStream>{},
                              {{1, 1}},
                              {{1e5, 7}},
                              {{1e12, 1e6}},
                              {{inf, 1}},
                              {{nan, nan}},
                              {{-5, 3}}}) {
    const int32_t pace = bulkBytesPerMs(streams, 1);
    EXPECT_GE(pace, 4 * static_cast<int32_t>(kBulkDatagramBytes));
    EXPECT_LE(pace, 1 << 30);
    EXPECT_EQ(pace % static_cast<int32_t>(kBulkDatagramBytes), 0);
  }
  EXPECT_GT(bulkBytesPerMs({kCamera}, nan), 0);
}

}  // namespace
}  // namespace gs_ros2
