// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_pattern.hpp"

#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LidarPattern, SpreadsChannelsAndTurnsClockwiseFromBehind) {
  const LidarPattern pattern = makeLidarPattern(
      {.channels = 3, .horizontal_resolution_deg = 90, .vertical_fov_deg = {-20, 10}}, 10, "top");
  constexpr double kDegree = std::numbers::pi / 180;
  EXPECT_THAT(pattern.elevations, testing::ElementsAre(testing::DoubleNear(-20 * kDegree, 1e-12),
                                                       testing::DoubleNear(-5 * kDegree, 1e-12),
                                                       testing::DoubleNear(10 * kDegree, 1e-12)));
  EXPECT_THAT(pattern.azimuths, testing::ElementsAre(testing::DoubleNear(std::numbers::pi, 1e-12),
                                                     testing::DoubleNear(90 * kDegree, 1e-12),
                                                     testing::DoubleNear(0, 1e-12),
                                                     testing::DoubleNear(-90 * kDegree, 1e-12)));
  EXPECT_THAT(pattern.column_times_ns,
              testing::ElementsAre(0u, 25'000'000u, 50'000'000u, 75'000'000u));
}

TEST(LidarPattern, TakesAnyTableAndSortsIt) {
  const LidarPattern pattern = makeLidarPattern(
      {.channels = 3, .horizontal_resolution_deg = 360, .vertical_angles_deg = {4, -8, 0}}, 10,
      "top");
  EXPECT_EQ(pattern.rayCount(), 3u);
  EXPECT_LT(pattern.elevations[0], pattern.elevations[1]);
  EXPECT_DOUBLE_EQ(pattern.elevations[1], 0);
}

TEST(LidarPattern, HeightsGoWithTheirAngles) {
  const LidarPattern pattern = makeLidarPattern({.channels = 3,
                                                 .horizontal_resolution_deg = 360,
                                                 .vertical_angles_deg = {4, -8, 0},
                                                 .vertical_offsets = {{0.2, 0.1, 0.15}}},
                                                10, "top");
  EXPECT_THAT(pattern.heights, testing::ElementsAre(0.1, 0.15, 0.2));
}

TEST(LidarPattern, RefusesTablesThatCannotBeShot) {
  const auto refused = [](const LidarSpec& spec, double rate_hz = 10) {
    try {
      makeLidarPattern(spec, rate_hz, "top");
    } catch (const Error& error) {
      return error.report().code == ErrorCode::InvalidCalibration;
    }
    return false;
  };
  EXPECT_TRUE(refused({.channels = 0}));
  EXPECT_TRUE(refused({.channels = -5}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_angles_deg = {1}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_angles_deg = {1, kNaN}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_fov_deg = {kNaN, 1}}));
  EXPECT_TRUE(refused({.channels = 2, .vertical_offsets = {{0, 0}}}));
  EXPECT_TRUE(
      refused({.channels = 2, .vertical_angles_deg = {1, 2}, .vertical_offsets = {{0, kNaN}}}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = 0}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = kNaN}));
  EXPECT_TRUE(refused({.channels = 2, .horizontal_resolution_deg = 1e-9}));
  EXPECT_TRUE(refused({.channels = 2, .max_range = kNaN}));
  EXPECT_TRUE(refused({.channels = 2, .max_range = 1, .min_range = 2}));
  EXPECT_TRUE(refused({.channels = 2}, 0));
  EXPECT_FALSE(refused({.channels = 2}));
}

}  // namespace
}  // namespace gs
