// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_noise.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_builder {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kStart = 1'700'000'000'000'000'000;
gs::Stamp at(double seconds) { return {kStart + std::llround(1e9 * seconds)}; }

// Stands for three seconds, then accelerates to 8 m/s on a circle of 40 m.
gs::Rigid3 poseAt(double t) {
  const double moving = std::max(0.0, t - 3);
  const double s = moving < 4 ? moving * moving : 16 + 8 * (moving - 4);
  const double angle = s / 40;
  return {gs::fromRollPitchYaw(0, 0, angle),
          gs::Vec3(40 * std::sin(angle), 40 * (1 - std::cos(angle)), 0)};
}
double speedAt(double t) { return t < 3 ? 0 : std::min(8.0, 2 * (t - 3)); }

EgoTrajectory drive(double tremble = 0.01) {
  gs::Rng rng(3);
  std::vector<StampedPose> poses;
  for (int i = 0; i < 2000; ++i) {
    gs::Rigid3 pose = poseAt(0.01 * i);
    pose.translation += tremble * gs::Vec3(rng.normal(), rng.normal(), 0);
    poses.push_back({at(0.01 * i), pose});
  }
  return EgoTrajectory(std::move(poses));
}

TEST(Standstills, AreFoundAlthoughPosesTremble) {
  const auto found = findStandstills(drive());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, at(0));
  EXPECT_NEAR(gs::toSeconds(found[0].end - at(0)), 2.8, 0.15);  // setting off is not in it
  std::vector<StampedPose> creeping;
  for (int i = 0; i < 1000; ++i)
    creeping.push_back({at(0.01 * i), {gs::Quat::Identity(), gs::Vec3(0.002 * i, 0, 0)}});
  EXPECT_TRUE(findStandstills(EgoTrajectory(creeping)).empty());
}

ImuTopic imuOf(double gyro_deviation, double accel_deviation, uint64_t seed) {
  gs::Rng rng(seed);
  const auto noise = [&](double size) {
    return gs::Vec3(size * gs::Vec3(rng.normal(), rng.normal(), rng.normal()));
  };
  ImuTopic imu{.frame_id = "imu"};
  for (int i = 0; i < 2000; ++i) {
    const double t = 0.01 * i;
    imu.stamps.push_back({at(t), at(t)});
    imu.turn_rate.push_back(gs::Vec3(0.01, -0.02, 0.003 + speedAt(t) / 40) + noise(gyro_deviation));
    imu.specific_force.push_back(gs::Vec3(0.3, 0, 9.8) + noise(accel_deviation));
  }
  return imu;
}

TEST(ImuNoise, IsFoundWithinAFifthInAStandstillForEverySeed) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto found = estimateImu(imuOf(0.002, 0.03, seed), findStandstills(drive()), 100);
    EXPECT_NEAR(found.spec.gyro_noise_density, 0.0002, 0.2 * 0.0002);
    EXPECT_NEAR(found.spec.accel_noise_density, 0.003, 0.2 * 0.003);
    EXPECT_NEAR(found.spec.gyro_bias[0], 0.01, 5e-4);
    EXPECT_NEAR(found.spec.gyro_bias[1], -0.02, 5e-4);
    EXPECT_NEAR(found.spec.gyro_bias[2], 0.003, 5e-4);
    EXPECT_THAT(found.source, HasSubstr("of standstill"));
    EXPECT_EQ(found.warning, "");
  }
}

TEST(ImuNoise, WithoutStandstillIsWhatTheMessagesSay) {
  ImuTopic imu = imuOf(0.002, 0.03, 1);
  EXPECT_EQ(estimateImu(imu, {}, 100).spec, gs::ImuSpec());
  EXPECT_EQ(estimateImu(imu, {}, 100).source, "unknown");
  imu.turn_rate_variance = 1e-6;
  imu.specific_force_variance = 4e-4;
  const auto found = estimateImu(imu, {}, 100);
  EXPECT_DOUBLE_EQ(found.spec.gyro_noise_density, 1e-4);
  EXPECT_DOUBLE_EQ(found.spec.accel_noise_density, 2e-3);
  EXPECT_EQ(found.source, "the messages' covariance");
}

TEST(ImuNoise, AnImuThatDoesNotFeelGravityIsWarnedOf) {
  ImuTopic imu = imuOf(0.002, 0.03, 1);
  for (gs::Vec3& force : imu.specific_force) force.z() -= 9.8;
  EXPECT_THAT(estimateImu(imu, findStandstills(drive()), 100).warning, HasSubstr("gravity"));
}

TEST(GnssNoise, IsHowFarFixesAreFromThePoses) {
  const gs::MapAnchor anchor{.origin = {35.7, 139.8, 40}, .yaw = 0.4};
  const gs::Vec3 antenna(0.5, -0.2, 1.6);
  gs::Rng rng(8);
  GnssTopic gnss{.frame_id = "gnss"};
  for (int i = 0; i < 200; ++i) {
    const double t = 0.1 * i;
    const gs::Vec3 error(0.5 * rng.normal(), 0.5 * rng.normal(), 1.2 * rng.normal());
    gnss.stamps.push_back({at(t), at(t)});
    gnss.fixes.push_back(gs::geoFromMap(anchor, poseAt(t) * antenna + error));
  }
  gnss.fixes[7].latitude += 0.01;  // a kilometre: a fault, not noise
  const auto found = estimateGnss(gnss, drive(0), antenna, anchor);
  EXPECT_NEAR(found.spec.horizontal_std, 0.5, 0.1);
  EXPECT_NEAR(found.spec.vertical_std, 1.2, 0.24);
  EXPECT_THAT(found.source, HasSubstr("against the poses"));
  gnss.horizontal_variance = 4;
  EXPECT_EQ(estimateGnss(gnss, {}, antenna, anchor).spec.horizontal_std, 2);
}

TwistTopic wheelsOf(double scale, double bias) {
  gs::Rng rng(4);
  TwistTopic wheels{.type = "geometry_msgs/msg/TwistStamped"};
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.02 * i;
    wheels.stamps.push_back({at(t), at(t)});
    wheels.speed.push_back(scale * speedAt(t) + 0.02 * rng.normal());
    wheels.yaw_rate.push_back(speedAt(t) / 40 + bias + 0.003 * rng.normal());
  }
  return wheels;
}

TEST(WheelOdometryNoise, ScaleAndBiasComeFromThePoses) {
  const auto found = estimateWheelOdometry(wheelsOf(1.03, 0.004), drive());
  EXPECT_NEAR(found.spec.speed_scale, 1.03, 0.003);
  EXPECT_NEAR(found.spec.yaw_rate_bias, 0.004, 5e-4);
  EXPECT_NEAR(found.spec.speed_noise_std, 0.02, 0.004);
  EXPECT_NEAR(found.spec.yaw_rate_noise_std, 0.003, 0.0006);
  EXPECT_EQ(found.warning, "");
}

TEST(WheelOdometryNoise, SpeedsOfSomethingElseAreNoOdometry) {
  TwistTopic wheels = wheelsOf(1, 0);
  gs::Rng rng(9);
  for (double& speed : wheels.speed) speed = 8 * rng.normal();
  EXPECT_NE(estimateWheelOdometry(wheels, drive()).warning, "");
  EXPECT_NE(estimateWheelOdometry(wheelsOf(100, 0), drive()).warning, "");  // other units
}

TEST(MotionNoise, NothingThatALogHoldsGivesAWorldThatIsRefused) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  ImuTopic imu = imuOf(0.002, 0.03, 1);
  for (size_t i = 0; i < imu.turn_rate.size(); i += 2) {
    imu.turn_rate[i] = gs::Vec3::Constant(i % 4 == 0 ? kHuge : -kHuge);
    imu.specific_force[i] = imu.turn_rate[i];
  }
  const auto imu_found = estimateImu(imu, findStandstills(drive()), 1e-3);
  EXPECT_LE(imu_found.spec.gyro_noise_density, 100);
  EXPECT_LE(std::abs(imu_found.spec.gyro_bias[0]), 100);
  TwistTopic wheels = wheelsOf(1, 0);
  wheels.yaw_rate[500] = kHuge;
  const auto wheels_found = estimateWheelOdometry(wheels, drive());
  EXPECT_LE(std::abs(wheels_found.spec.yaw_rate_bias), 10);
  EXPECT_LE(wheels_found.spec.yaw_rate_noise_std, 100);
  EXPECT_EQ(estimateWheelOdometry({}, {}).spec, gs::WheelOdometrySpec());
  EXPECT_EQ(estimateGnss({}, {}, gs::Vec3::Zero(), {}).spec, gs::GnssSpec());
  EXPECT_EQ(estimateImu({}, {}, 0).spec, gs::ImuSpec());
}

}  // namespace
}  // namespace gs_builder
