// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_compensation.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gs_builder/sweep_timing.hpp"

namespace gs_builder {
namespace {

const gs::Rigid3 kBaseFromLidar{gs::Quat::Identity(), gs::Vec3(1, 0, 2)};

// A vehicle that drives at 20 m/s and turns at 0.5 rad/s, from 0 to 2 s.
gs::Rigid3 poseAt(double t) {
  const double yaw = 0.5 * t;
  return {gs::fromRollPitchYaw(0, 0, yaw),
          gs::Vec3(40 * std::sin(yaw), 40 * (1 - std::cos(yaw)), 0)};
}
EgoTrajectory turningDrive() {
  std::vector<StampedPose> poses;
  for (int64_t k = 0; k <= 200; ++k)
    poses.push_back({{k * 10'000'000}, poseAt(static_cast<double>(k) * 0.01)});
  return EgoTrajectory(std::move(poses));
}

// One turn of a LiDAR inside a round room of radius 30 around the map's origin, clockwise.
gs::LidarPoints sweepOf(double begin, double period, bool has_times) {
  gs::LidarPoints scan;
  constexpr int kColumns = 2000;
  for (int i = 0; i < kColumns; ++i) {
    const double t = begin + period * i / kColumns;
    const double azimuth = std::numbers::pi * (1 - 2.0 * i / kColumns);
    const gs::Rigid3 map_from_lidar = poseAt(t) * kBaseFromLidar;
    const gs::Vec3 direction =
        map_from_lidar.rotation * gs::Vec3(std::cos(azimuth), std::sin(azimuth), 0);
    const gs::Vec3& o = map_from_lidar.translation;
    const double b = o.head<2>().dot(direction.head<2>());
    const double range = -b + std::sqrt(b * b - o.head<2>().squaredNorm() + 30 * 30);
    scan.positions.push_back({static_cast<float>(range * std::cos(azimuth)),
                              static_cast<float>(range * std::sin(azimuth)), 0});
    if (has_times) scan.time_offset.push_back(static_cast<float>(period * i / kColumns));
  }
  return scan;
}

double worstWallError(const std::vector<std::array<float, 3>>& in_base, double at) {
  double worst = 0;
  for (const auto& p : in_base) {
    const gs::Vec3 q = poseAt(at) * gs::Vec3(p[0], p[1], p[2]);
    worst = std::max(worst, std::abs(q.head<2>().norm() - 30));
  }
  return worst;
}

TEST(PointsInBase, EachPointComesFromWhereTheVehicleWas) {
  const auto scan = sweepOf(0.5, 0.1, true);
  const auto points = pointsInBase(scan, {500'000'000}, kBaseFromLidar, turningDrive());
  ASSERT_TRUE(points);
  EXPECT_LT(worstWallError(*points, 0.5), 0.002);
  const auto smeared =
      pointsInBase(sweepOf(0.5, 0.1, false), {500'000'000}, kBaseFromLidar, turningDrive());
  EXPECT_GT(worstWallError(*smeared, 0.5), 1.0);  // what compensation is for
}

TEST(PointsInBase, WithoutAPoseThereIsNoScan) {
  EXPECT_FALSE(
      pointsInBase(sweepOf(0.5, 0.1, true), {9'000'000'000}, kBaseFromLidar, turningDrive()));
}

TEST(PointsInBase, TimesThatAreNoSweepAreIgnored) {
  auto scan = sweepOf(0.5, 0.1, true);
  scan.time_offset[5] = 1e9f;
  const auto points = pointsInBase(scan, {500'000'000}, kBaseFromLidar, turningDrive());
  ASSERT_TRUE(points);
  EXPECT_NEAR((*points)[0][0], scan.positions[0][0] + 1, 1e-5);
}

TEST(SweepFractions, FollowTheAzimuthFromTheFirstPoint) {
  const auto scan = sweepOf(0.5, 0.1, false);
  const auto fractions = sweepFractions(scan.positions);
  ASSERT_EQ(fractions.size(), scan.positions.size());
  for (size_t i = 0; i < fractions.size(); ++i)
    EXPECT_NEAR(fractions[i], static_cast<double>(i) / 2000, 1e-3) << i;
}

TEST(SweepFractions, SayNothingWhenPointsAreInAnotherOrder) {
  auto positions = sweepOf(0.5, 0.1, false).positions;
  for (size_t i = 0; i < positions.size(); ++i)
    std::swap(positions[i], positions[i * 7919 % positions.size()]);
  EXPECT_TRUE(sweepFractions(positions).empty());
  EXPECT_TRUE(sweepFractions({}).empty());
}

std::vector<std::vector<TimedScan>> groupsOf(double stamp_offset, bool is_compensated) {
  std::vector<std::vector<TimedScan>> groups;
  const EgoTrajectory drive = turningDrive();
  for (const double begin : {0.2, 0.9}) {
    auto& group = groups.emplace_back();
    for (int i = 0; i < 4; ++i) {
      const double t = begin + 0.1 * i;
      const gs::Stamp stamp{std::llround((t + stamp_offset) * 1e9)};
      gs::LidarPoints scan = sweepOf(t, 0.1, true);
      if (is_compensated) {
        const gs::Rigid3 lidar_from_base = kBaseFromLidar.inverse();
        scan.positions = *pointsInBase(scan, stamp, kBaseFromLidar, drive);
        for (auto& p : scan.positions) {
          const gs::Vec3 q = lidar_from_base * gs::Vec3(p[0], p[1], p[2]);
          p = {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())};
        }
      }
      scan.time_offset.clear();
      group.push_back({stamp, scan});
    }
  }
  return groups;
}

TEST(ChooseSweepTiming, SeesWhetherScansAreCompensatedAlready) {
  const EgoTrajectory drive = turningDrive();
  const SweepTiming raw = chooseSweepTiming(groupsOf(0, false), 0.1, kBaseFromLidar, drive);
  EXPECT_EQ(raw.kind, SweepTiming::Kind::Azimuth);
  EXPECT_EQ(toString(raw), "azimuth, 0..100 ms");
  const SweepTiming done = chooseSweepTiming(groupsOf(0, true), 0.1, kBaseFromLidar, drive);
  EXPECT_EQ(done.kind, SweepTiming::Kind::None);
}

}  // namespace
}  // namespace gs_builder
