// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_motion.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_builder {
namespace {

gs::Stamp at(double seconds) {
  return gs::Stamp{1'000'000'000} + gs::Duration{std::llround(1e9 * seconds)};
}

// A left-hand circle of 20 m, driven from 5 m/s on with 0.8 m/s^2 more, as a noisy 20 Hz log.
EgoTrajectory circle(double noise) {
  gs::Rng rng(3);
  std::vector<StampedPose> poses;
  for (double t = 0; t < 4; t += 0.05) {
    const double angle = (5 * t + 0.4 * t * t) / 20;
    const auto wobble = [&] { return noise * rng.uniform(-1, 1); };
    poses.push_back(
        {at(t),
         {gs::fromRollPitchYaw(0, 0, 3 + angle + 0.1 * wobble()),
          gs::Vec3(20 * std::sin(3 + angle) + wobble(), -20 * std::cos(3 + angle) + wobble(), 0)}});
  }
  return EgoTrajectory(std::move(poses));
}

TEST(EgoMotion, IsThatOfTheDrive) {
  const EgoMotion motion = motionAt(circle(0), at(2));
  EXPECT_NEAR(motion.speed, 6.6, 0.02);
  EXPECT_NEAR(motion.yaw_rate, 0.33, 0.001);
  EXPECT_NEAR(motion.acceleration, 0.8, 0.01);
  EXPECT_NEAR(motion.lateralAcceleration(), 6.6 * 6.6 / 20, 0.02);
}

TEST(EgoMotion, BearsTheNoiseOfALog) {
  const EgoMotion motion = motionAt(circle(0.01), at(2));
  EXPECT_NEAR(motion.acceleration, 0.8, 0.1);
  EXPECT_NEAR(motion.lateralAcceleration(), 6.6 * 6.6 / 20, 0.1);
}

TEST(EgoMotion, KnowsWhenTheVehicleBeginsToBrake) {
  std::vector<StampedPose> poses;
  for (double t = 0; t < 4; t += 0.05) {  // 6 m/s, and 2 m/s^2 less of it from 2 s on
    const double braking = std::max(0.0, t - 2);
    poses.push_back({at(t), {gs::Quat::Identity(), gs::Vec3(6 * t - braking * braking, 0, 0)}});
  }
  const EgoTrajectory drive(std::move(poses));
  EXPECT_NEAR(motionAt(drive, at(1.5)).acceleration, 0, 0.01);
  EXPECT_NEAR(motionAt(drive, at(2)).acceleration, -1, 0.1);
  EXPECT_NEAR(motionAt(drive, at(2.5)).acceleration, -2, 0.01);
}

TEST(EgoMotion, IsNothingWhereNoPosesAre) {
  EXPECT_EQ(motionAt(circle(0), at(60)).speed, 0);
  EXPECT_EQ(motionAt(EgoTrajectory(), at(0)).acceleration, 0);
}

}  // namespace
}  // namespace gs_builder
