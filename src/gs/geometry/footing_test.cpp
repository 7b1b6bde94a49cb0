// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/footing.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace gs {
namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Footing, LevelGroundIsLevelToTheLastBit) {
  const auto footing = footingOn([](double, double) { return 12.3; }, 2.8, 1.6, 7, -3, 0.9);
  ASSERT_TRUE(footing);
  EXPECT_EQ(footing->z, 12.3);
  EXPECT_EQ(footing->pitch, 0);
  EXPECT_EQ(footing->roll, 0);
}

TEST(Footing, ASlopeIsTheSlope) {
  const auto footing =
      footingOn([](double x, double y) { return 0.05 * x + 0.02 * y; }, 2.8, 1.6, 10, 5, 0);
  ASSERT_TRUE(footing);
  EXPECT_NEAR(footing->z, 0.6, 1e-12);
  EXPECT_NEAR(footing->pitch, -std::atan(0.05), 1e-12);
  EXPECT_NEAR(footing->roll, std::atan(0.02 * std::cos(footing->pitch)), 1e-12);
}

// Of single heights below the wheels, 5 mm up here and down there tilt the vehicle by 0.2 degrees.
TEST(Footing, TheRoughnessOfAMeasuredGroundDoesNotShakeTheVehicle) {
  const auto rough = [](double x, double y) {
    const auto cell = [](double v) { return static_cast<int64_t>(std::floor(v / 0.1)); };
    const uint64_t mixed = static_cast<uint64_t>(cell(x) * 73856093 ^ cell(y) * 19349663);
    return mixed * 0x9E3779B97F4A7C15ull >> 63 ? 0.005 : -0.005;
  };
  for (double x = 0; x < 20; x += 0.37) {
    const auto footing = footingOn(rough, 2.8, 1.6, x, 0.1 * x, 0.3);
    ASSERT_TRUE(footing);
    EXPECT_NEAR(footing->z, 0, 0.003) << x;
    EXPECT_NEAR(footing->pitch / kDegree, 0, 0.1) << x;
    EXPECT_NEAR(footing->roll / kDegree, 0, 0.13) << x;
  }
}

TEST(Footing, StandsOnNothingWhereAWheelHasNoGround) {
  const auto half = [](double x, double) { return x < 2 ? 0.0 : kNaN; };
  EXPECT_FALSE(footingOn(half, 2.8, 1.6, 0, 0, 0));
  EXPECT_TRUE(footingOn(half, 2.8, 1.6, -1, 0, 0));  // the patch may reach beyond what is known
}

}  // namespace
}  // namespace gs
