// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/road_contact.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

constexpr auto kTruth = gs::BaseLinkAboveGround::ofDegrees(0.95, -0.4, -0.9);

// A road over a hill of two metres, 120 m long, driven along x at 10 m/s.
double heightAt(double x) { return 1 - std::cos(x * 0.0524); }

gs::Rigid3 trueFooting(double x) {
  return {gs::fromRollPitchYaw(0, -std::atan(0.0524 * std::sin(x * 0.0524)), 0),
          gs::Vec3(x, 0, heightAt(x))};
}
gs::Rigid3 truePose(double x) { return trueFooting(x) * kTruth.footingFromBase(); }

// As a log without height has it: x, y and heading of base_link.
EgoTrajectory planarDrive() {
  std::vector<StampedPose> poses;
  for (int64_t k = 0; k <= 1200; ++k) {
    const gs::Vec3 p = truePose(0.1 * static_cast<double>(k)).translation;
    poses.push_back({{k * 10'000'000}, {gs::Quat::Identity(), gs::Vec3(p.x(), p.y(), 0)}});
  }
  return EgoTrajectory(std::move(poses));
}

// Rings of the road around the vehicle, every 1.5 m of the drive.
BaseScans scansOfDrive() {
  BaseScans scans;
  for (int64_t i = 0; i < 80; ++i) scans.stamps.push_back({i * 150'000'000});
  scans.load = [](size_t i) {
    const double at = 1.5 * static_cast<double>(i);
    const gs::Rigid3 base_from_map = truePose(at).inverse();
    std::vector<std::array<float, 3>> points;
    for (double radius = 3; radius < 25; radius *= 1.08)
      for (int k = 0; k < 180; ++k) {
        const double x = at + radius * std::cos(k * 0.0349), y = radius * std::sin(k * 0.0349);
        const gs::Vec3 p = base_from_map * gs::Vec3(x, y, heightAt(x));
        points.push_back(
            {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
      }
    return points;
  };
  return scans;
}

TEST(RoadContact, IsMeasuredAlthoughPosesKnowNoHeight) {
  const RoadContact road = findRoadContact({}, planarDrive(), scansOfDrive());
  ASSERT_TRUE(road.is_known);
  EXPECT_NEAR(road.above_ground.height, kTruth.height, 0.03);
  EXPECT_NEAR(road.above_ground.pitch, kTruth.pitch, 0.0035);
  EXPECT_NEAR(road.above_ground.roll, kTruth.roll, 0.0009);
  EXPECT_EQ(road.source, "measured in 80 scans");
}

TEST(RoadContact, WhatIsGivenWinsAndTheUnseenIsUnknown) {
  const RoadContact given =
      findRoadContact(gs::BaseLinkAboveGround{.height = 1.2}, planarDrive(), scansOfDrive());
  EXPECT_EQ(given.above_ground.height, 1.2);
  const RoadContact blind = findRoadContact(
      {}, planarDrive(),
      {scansOfDrive().stamps, [](size_t) { return std::vector<std::array<float, 3>>(); }});
  EXPECT_FALSE(blind.is_known);
  EXPECT_EQ(blind.above_ground, gs::BaseLinkAboveGround{});
}

TEST(RoadContact, FollowsTheRoadFarBelowBaseLink) {
  const FollowedGround found = followGroundBelow(kTruth, planarDrive(), scansOfDrive());
  EXPECT_EQ(found.aligned_scans, 80u);
  // The map may be tilted as a whole, which is what the first pose said; the road in it is not
  // bent.
  const auto& poses = found.trajectory.poses();
  const gs::Rigid3 found_from_true = poses.front().map_from_base * truePose(0).inverse();
  for (size_t k = 0; k < poses.size(); k += 20) {
    const gs::Rigid3 exact = found_from_true * truePose(0.1 * static_cast<double>(k));
    EXPECT_NEAR(poses[k].map_from_base.translation.z(), exact.translation.z(), 0.12) << k;
  }
}

}  // namespace
}  // namespace gs_builder
