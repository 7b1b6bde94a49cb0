// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_motion.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace gs {
namespace {

// A stadium: two straights of 80 m joined by half circles of radius 15 m, counter-clockwise.
std::vector<std::array<double, 2>> stadium() {
  std::vector<std::array<double, 2>> points;
  for (double x = 0; x < 80; x += 0.5) points.push_back({x, -15});
  for (double a = 0; a < std::numbers::pi; a += 0.5 / 15)
    points.push_back({80 + 15 * std::sin(a), -15 * std::cos(a)});
  for (double x = 80; x > 0; x -= 0.5) points.push_back({x, 15});
  for (double a = 0; a < std::numbers::pi; a += 0.5 / 15)
    points.push_back({-15 * std::sin(a), 15 * std::cos(a)});
  return points;
}

DriveMotion onSlope(double slope) {
  return DriveMotion(stadium(), [slope](double x, double) { return slope * x; }, {});
}

TEST(DriveMotion, DrivesAtTheWantedSpeedOnStraightsAndSlowerInCurves) {
  const DriveMotion motion = onSlope(0);
  double slowest = 100, fastest = 0;
  for (double t = 0; t < motion.timeOfLoop(); t += 0.1) {
    const double speed = motion.derivativesAt(t).linear.x();
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
    EXPECT_NEAR(motion.derivativesAt(t).linear.y(), 0, 0.02) << t;  // the rear axle does not slide
  }
  EXPECT_NEAR(fastest, 8, 0.01);
  EXPECT_NEAR(slowest, std::sqrt(2.0 * 15), 0.3);
}

TEST(DriveMotion, TurnsWithTheCurveOfThePath) {
  const DriveMotion motion = onSlope(0);
  double turned = 0;
  for (double t = 0; t < motion.timeOfLoop(); t += 0.01)
    turned += 0.01 * motion.derivativesAt(t).angular.z();
  EXPECT_NEAR(turned, 2 * std::numbers::pi, 0.02);
}

TEST(DriveMotion, StandsOnTheGroundAndPitchesWithIt) {
  const DriveMotion motion = onSlope(0.05);
  const Rigid3 pose = motion.mapFromBase(2);
  EXPECT_NEAR(pose.translation.z(), 0.05 * pose.translation.x(), 1e-9);
  // Uphill: the nose points up, and x of base_link climbs.
  EXPECT_NEAR((pose.rotation * Vec3(1, 0, 0)).z(), std::sin(std::atan(0.05)), 1e-6);
}

TEST(DriveMotion, ComesRoundToWhereItBegan) {
  const DriveMotion motion = onSlope(0.02);
  const Rigid3 start = motion.mapFromBase(0), again = motion.mapFromBase(motion.timeOfLoop());
  EXPECT_LT((start.translation - again.translation).norm(), 1e-6);
  EXPECT_NEAR(motion.distanceAt(motion.timeOfLoop()), motion.lengthOfLoop(), 1e-6);
}

TEST(DriveMotion, HasNoJumpInAnyDerivative) {
  const DriveMotion motion = onSlope(0.02);
  auto before = motion.derivativesAt(0);
  for (double t = 0.01; t < motion.timeOfLoop(); t += 0.01) {
    const auto here = motion.derivativesAt(t);
    EXPECT_LT((here.linear - before.linear).norm(), 0.1) << t;
    EXPECT_LT((here.angular - before.angular).norm(), 0.05) << t;
    before = here;
  }
}

TEST(DriveMotion, KeepsItsDistanceBesideTheRoute) {
  DriveMotion::Options options;
  options.lateral_offset = 2;
  const DriveMotion beside(
      stadium(), [](double, double) { return 0.0; }, options);
  EXPECT_NEAR(beside.mapFromBase(1).translation.y(), -13, 1e-3);
}

}  // namespace
}  // namespace gs
