// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ground_following.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

// A road that rises by three metres between x = 20 and x = 100, gently at both ends.
double heightAt(double x) {
  const double f = std::clamp((x - 20) / 80, 0.0, 1.0);
  return 3 * f * f * (3 - 2 * f);
}
double slopeAt(double x) {
  const double f = std::clamp((x - 20) / 80, 0.0, 1.0);
  return 3.0 / 80 * 6 * f * (1 - f);
}

// A vehicle that drives along x at 10 m/s for 12 s; pitch is negative when its nose is up.
gs::Rigid3 truePose(double t) {
  const double x = 10 * t;
  return {gs::fromRollPitchYaw(0, -std::atan(slopeAt(x)), 0), gs::Vec3(x, 0, heightAt(x))};
}

EgoTrajectory planarDrive() {
  std::vector<StampedPose> poses;
  for (int64_t k = 0; k <= 1200; ++k)
    poses.push_back(
        {{k * 10'000'000}, {gs::Quat::Identity(), gs::Vec3(0.1 * static_cast<double>(k), 0, 0)}});
  return EgoTrajectory(std::move(poses));
}

// What a LiDAR two metres up sees of the road: rings around the vehicle, and a parked car.
GroundScan scanAt(size_t i) {
  const double t = 0.1 * static_cast<double>(i);
  const gs::Rigid3 base_from_map = truePose(t).inverse();
  GroundScan scan{.stamp = {static_cast<int64_t>(i) * 100'000'000}};
  const auto add = [&](double x, double y, double z) {
    const gs::Vec3 p = base_from_map * gs::Vec3(x, y, z);
    scan.points.push_back(
        {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
  };
  for (double radius = 3; radius < 30; radius *= 1.12)
    for (int k = 0; k < 360; ++k) {
      const double x = 10 * t + radius * std::cos(k * 0.01745), y = radius * std::sin(k * 0.01745);
      const bool is_car = std::abs(x - 50) < 2 && std::abs(y - 5) < 1;
      add(x, y, heightAt(x) + (is_car ? 1.2 : 0));
    }
  return scan;
}

TEST(FollowGround, GivesPlanarPosesTheHeightOfTheRoad) {
  const FollowedGround found = followGround(planarDrive(), 120, scanAt);
  EXPECT_EQ(found.aligned_scans, 120u);
  EXPECT_NEAR(found.height_range, 3, 0.2);
  for (const StampedPose& pose : found.trajectory.poses()) {
    const gs::Rigid3 exact = truePose(gs::toSeconds(pose.stamp));
    EXPECT_NEAR(pose.map_from_base.translation.z(), exact.translation.z(), 0.12);
    EXPECT_LT(pose.map_from_base.rotation.angularDistance(exact.rotation), 0.01);
  }
}

TEST(FollowGround, TheFlatStaysFlatAndTheUnseenAsItWas) {
  const FollowedGround blind = followGround(planarDrive(), 5, scanAt);
  EXPECT_EQ(blind.height_range, 0);  // too few scans to say anything
  EXPECT_EQ(blind.trajectory.poses().back().map_from_base.translation.z(), 0);
}

TEST(IsPlanar, OnlyALongDriveInOnePlaneIs) {
  EXPECT_TRUE(isPlanar(planarDrive()));
  std::vector<StampedPose> hilly;
  for (int64_t k = 0; k <= 120; ++k)
    hilly.push_back({{k * 100'000'000}, truePose(0.1 * static_cast<double>(k))});
  EXPECT_FALSE(isPlanar(EgoTrajectory(hilly)));
  EXPECT_FALSE(isPlanar(EgoTrajectory()));
}

}  // namespace
}  // namespace gs_builder
