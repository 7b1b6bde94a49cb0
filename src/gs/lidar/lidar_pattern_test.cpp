// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LidarPattern, SpreadsChannelsAndTurnsClockwiseFromBehind) {
  const LidarPattern pattern = makeSpinningPattern(
      {.channels = 3, .horizontal_resolution_deg = 90, .vertical_fov_deg = {-20, 10}}, 10, "top");
  ASSERT_EQ(pattern.rays.size(), 12u);
  const double azimuths[] = {180, 90, 0, -90}, elevations[] = {-20, -5, 10};
  for (size_t i = 0; i < 12; ++i) {
    const LidarRay& ray = pattern.rays[i];
    const double azimuth = azimuths[i / 3] * kDegree, elevation = elevations[i % 3] * kDegree;
    EXPECT_NEAR(ray.direction.x(), std::cos(elevation) * std::cos(azimuth), 1e-12);
    EXPECT_NEAR(ray.direction.y(), std::cos(elevation) * std::sin(azimuth), 1e-12);
    EXPECT_NEAR(ray.direction.z(), std::sin(elevation), 1e-12);
    EXPECT_EQ(ray.ring, i % 3);
    EXPECT_EQ(pattern.moments[ray.moment].time_ns, 25'000'000u * (i / 3));
    EXPECT_EQ(pattern.moments[ray.moment].part, 0.25 * static_cast<double>(i / 3));
  }
  EXPECT_EQ(pattern.grid->columns, 4u);
  EXPECT_THAT(pattern.grid->elevations,
              testing::ElementsAre(testing::DoubleNear(-20 * kDegree, 1e-12),
                                   testing::DoubleNear(-5 * kDegree, 1e-12),
                                   testing::DoubleNear(10 * kDegree, 1e-12)));
}

TEST(LidarPattern, TakesAnyTableAndSortsItHeightsWithTheirAngles) {
  const LidarPattern pattern = makeSpinningPattern({.channels = 3,
                                                    .horizontal_resolution_deg = 360,
                                                    .vertical_angles_deg = {4, -8, 0},
                                                    .vertical_offsets = {{0.2, 0.1, 0.15}}},
                                                   10, "top");
  ASSERT_EQ(pattern.rays.size(), 3u);
  EXPECT_LT(pattern.rays[0].direction.z(), pattern.rays[1].direction.z());
  EXPECT_DOUBLE_EQ(pattern.rays[1].direction.z(), 0);
  EXPECT_EQ(pattern.rays[0].height, 0.1f);
  EXPECT_EQ(pattern.rays[1].height, 0.15f);
  EXPECT_EQ(pattern.rays[2].height, 0.2f);
}

// Every ray once or more, and nothing twice but in the octet that it fills.
void expectWholeOctets(const LidarPattern& pattern) {
  const std::vector<uint32_t> octets = octetsOf(pattern);
  ASSERT_EQ(octets.size() % 8, 0u);
  std::vector<size_t> octet_of(pattern.rays.size(), octets.size());
  for (size_t i = 0; i < octets.size(); ++i) {
    ASSERT_LT(octets[i], pattern.rays.size());
    size_t& octet = octet_of[octets[i]];
    ASSERT_TRUE(octet == octets.size() || octet == i / 8);
    octet = i / 8;
  }
  EXPECT_THAT(octet_of, testing::Each(testing::Lt(octets.size())));
}

TEST(LidarPattern, OctetsHoldEveryRay) {
  for (const int channels : {1, 2, 3, 16})
    for (const double degrees : {360.0, 30.0, 7.0})
      expectWholeOctets(makeSpinningPattern(
          {.channels = channels, .horizontal_resolution_deg = degrees}, 10, "top"));
  LidarPattern list =
      makeSpinningPattern({.channels = 7, .horizontal_resolution_deg = 9}, 10, "top");
  list.grid.reset();
  expectWholeOctets(list);
  list.rays.resize(3);
  expectWholeOctets(list);
}

TEST(LidarPattern, AListWhoseRaysGoTheSameWayKeepsItsOrder) {
  LidarPattern list;
  for (int i = 0; i < 1600; ++i)
    list.rays.push_back({.direction = Vec3(1, 0.001 * i, 0).normalized()});
  EXPECT_TRUE(std::ranges::is_sorted(octetsOf(list)));
}

TEST(LidarPattern, OctetsOfAListGoTheSameWay) {
  LidarPattern list = makeSpinningPattern(
      {.channels = 64, .horizontal_resolution_deg = 0.5, .vertical_fov_deg = {-20, 11.5}}, 10,
      "top");
  list.grid.reset();
  std::vector<LidarRay> shuffled;  // as a scan that jumps
  for (size_t i = 0; i < list.rays.size(); ++i)
    shuffled.push_back(list.rays[i * 7919 % list.rays.size()]);
  list.rays = shuffled;
  const std::vector<uint32_t> octets = octetsOf(list);
  size_t wide = 0;
  for (size_t i = 0; i < octets.size(); ++i) {
    const double cosine =
        list.rays[octets[i]].direction.dot(list.rays[octets[i / 8 * 8]].direction);
    wide += cosine < std::cos(3 * kDegree);
  }
  EXPECT_LT(static_cast<double>(wide), 0.02 * static_cast<double>(octets.size()));
}

LidarCalibration withTable() { return {.spec = {.pattern = "rays.csv"}, .rate_hz = 10}; }

TEST(LidarPattern, MayBeAnyListOfRays) {
  const LidarRayTable table{{{0, 0, 0, 3}, {90, 0, 0, 65535}, {-30, 45, 0.05, 1}}};
  const LidarPattern pattern = makeLidarPattern("front", withTable(), &table);
  ASSERT_EQ(pattern.rays.size(), 3u);
  EXPECT_FALSE(pattern.grid);
  EXPECT_TRUE(pattern.rays[0].direction.isApprox(Vec3(1, 0, 0), 1e-12));
  EXPECT_TRUE(pattern.rays[1].direction.isApprox(Vec3(0, 1, 0), 1e-12));
  EXPECT_NEAR(pattern.rays[2].direction.z(), std::sqrt(0.5), 1e-12);
  EXPECT_LT(pattern.rays[2].direction.y(), 0) << "to the right";
  EXPECT_EQ(pattern.rays[1].ring, 65535);
  ASSERT_EQ(pattern.moments.size(), 2u) << "two rays leave at once";
  EXPECT_EQ(pattern.rays[1].moment, 0u);
  EXPECT_EQ(pattern.moments[1].time_ns, 50'000'000u);
  EXPECT_EQ(pattern.moments[1].part, 0.5);
  const LidarPattern faster = makeLidarPattern("front", withTable(), &table, 20);
  EXPECT_EQ(faster.moments[1].time_ns, 25'000'000u);
  EXPECT_EQ(faster.moments[1].part, 0.5);
}

TEST(LidarPattern, RefusesListsThatCannotBeShot) {
  const auto refused = [](const LidarRayTable* table) {
    try {
      makeLidarPattern("front", withTable(), table);
    } catch (const Error& error) {
      return error.report().code == ErrorCode::InvalidCalibration;
    }
    return false;
  };
  const LidarRayTable none, late{{{0, 0, 0.1, 0}}}, steep{{{0, 91, 0, 0}}}, odd{{{kNaN, 0, 0, 0}}},
      fine{{{0, 0, 0.09, 0}}};
  EXPECT_TRUE(refused(nullptr));
  EXPECT_TRUE(refused(&none));
  EXPECT_TRUE(refused(&late));
  EXPECT_TRUE(refused(&steep));
  EXPECT_TRUE(refused(&odd));
  EXPECT_FALSE(refused(&fine));
}

TEST(LidarPattern, RefusesTablesThatCannotBeShot) {
  const auto refused = [](const LidarSpec& spec, double rate_hz = 10) {
    try {
      makeSpinningPattern(spec, rate_hz, "top");
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
