// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_motion_sensors.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/bundle/map_geodesy.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/sample_messages.hpp"

namespace gs {
namespace {

SampleDriveTruth standingFirst() {
  SampleDriveOptions options = driveOptionsFor(DrivePreset::Real, 4);
  options.standstill = 3;
  return SampleDriveTruth(options);
}

TEST(DriveStandstill, TheCarStandsAndThenSetsOffGently) {
  const SampleDriveTruth truth = standingFirst();
  const Rigid3 start = truth.motion.mapFromBase(0);
  for (double t = 0; t < 2.7; t += 0.1) {  // the body begins to lean a moment before
    EXPECT_EQ(truth.motion.mapFromBase(t).translation, start.translation);
    EXPECT_EQ(truth.motion.derivativesAt(t).linear.norm(), 0);
  }
  double fastest = 0;
  for (double t = 3; t < 20; t += 0.05) {
    const double speed = truth.motion.derivativesAt(t).linear.x();
    EXPECT_LT(speed - fastest, 0.05 * 2.6) << t;  // two limits of 1.2 m/s^2 can meet
    fastest = std::max(fastest, speed);
  }
  EXPECT_GT(fastest, 5);
}

// Turn rates and forces of the ideal IMU, summed up, are the drive: its arm, its turned mount and
// gravity are all accounted for.
TEST(DriveImu, WithoutErrorsGivesTheDrivenWayBack) {
  const SampleDriveTruth truth = standingFirst();
  const Rigid3 base_from_imu = truth.options.rig.imus.at("oxts").extrinsics.baseFromSensor();
  Rigid3 pose = truth.motion.mapFromBase(0) * base_from_imu;
  Vec3 velocity = Vec3::Zero();
  constexpr double kStep = 0.001;
  double t = 0;
  for (; t < 12; t += kStep) {
    const InertialTruth now = inertialTruthAt(truth.motion, base_from_imu, t + kStep / 2);
    const Vec3 turn = kStep * now.turn_rate;
    const Quat half(Eigen::AngleAxisd(turn.norm() / 2, turn.normalized()));
    const Quat middle = turn.norm() > 0 ? Quat(pose.rotation * half) : pose.rotation;
    const Vec3 acceleration = middle * now.specific_force - Vec3(0, 0, 9.80665);
    pose.translation += kStep * velocity + kStep * kStep / 2 * acceleration;
    velocity += kStep * acceleration;
    pose.rotation = turn.norm() > 0 ? Quat(middle * half) : middle;
  }
  const Rigid3 expected = truth.motion.mapFromBase(t) * base_from_imu;
  EXPECT_GT((expected.translation - truth.motion.mapFromBase(0).translation).norm(), 20);
  EXPECT_LT((pose.translation - expected.translation).norm(), 0.1);
  EXPECT_LT(pose.rotation.angularDistance(expected.rotation), 1e-3);
}

TEST(DriveImu, ErrsAsItsRigSays) {
  const SampleDriveTruth truth = standingFirst();
  const ImuCalibration& imu = truth.options.rig.imus.at("oxts");
  const Rigid3 base_from_imu = imu.extrinsics.baseFromSensor();
  DriveImu sensor(truth.options, "oxts");
  Vec3 gyro = Vec3::Zero(), accel = Vec3::Zero();
  double gyro2 = 0, accel2 = 0;
  constexpr int kCount = 2000;
  for (int k = 0; k < kCount; ++k) {
    const double t = k / imu.rate_hz;
    const msgs::Imu message = sensor.measure(truth.motion, t, kSampleDriveStart);
    const InertialTruth ideal = inertialTruthAt(truth.motion, base_from_imu, t);
    const auto& w = message.angular_velocity;
    const auto& a = message.linear_acceleration;
    const Vec3 gyro_error = Vec3(w.x, w.y, w.z) - ideal.turn_rate;
    const Vec3 accel_error = Vec3(a.x, a.y, a.z) - ideal.specific_force;
    gyro += gyro_error / kCount;
    accel += accel_error / kCount;
    gyro2 += gyro_error.squaredNorm() / kCount;
    accel2 += accel_error.squaredNorm() / kCount;
  }
  EXPECT_NEAR(gyro.x(), 0.004, 2e-4);
  EXPECT_NEAR(gyro.y(), -0.006, 2e-4);
  EXPECT_NEAR(accel.z(), 0.08, 3e-3);
  EXPECT_NEAR(std::sqrt((gyro2 - gyro.squaredNorm()) / 3), 2e-3, 1e-4);
  EXPECT_NEAR(std::sqrt((accel2 - accel.squaredNorm()) / 3), 2e-2, 1e-3);
}

TEST(DriveFix, IsTheAntennaWithNoiseAndSometimesNothing) {
  const SampleDriveTruth truth = standingFirst();
  const MapAnchor anchor{
      .origin = {kSampleOrigin.latitude, kSampleOrigin.longitude, kSampleOrigin.altitude}};
  const Vec3 antenna = truth.options.rig.gnss.at("oxts").extrinsics.baseFromSensor().translation;
  double horizontal2 = 0, vertical2 = 0;
  int fixes = 0, without = 0;
  for (int k = 0; k < 1000; ++k) {
    const double t = 0.02 * k;
    const msgs::NavSatFix fix =
        driveFix(truth.options, "oxts", truth.motion, t, kSampleDriveStart, k);
    if (fix.status.status < 0) {
      ++without;
      continue;
    }
    ++fixes;
    const Vec3 error = mapFromGeo(anchor, {fix.latitude, fix.longitude, fix.altitude}) -
                       truth.motion.mapFromBase(t) * antenna;
    horizontal2 += error.head<2>().squaredNorm();
    vertical2 += error.z() * error.z();
  }
  EXPECT_NEAR(std::sqrt(horizontal2 / (2 * fixes)), 0.4, 0.03);
  EXPECT_NEAR(std::sqrt(vertical2 / fixes), 0.8, 0.06);
  EXPECT_NEAR(without, 30, 20);
}

TEST(DriveTwist, IsScaledAndBiased) {
  const SampleDriveTruth truth = standingFirst();
  double measured = 0, driven = 0, turn = 0;
  for (int k = 0; k < 1000; ++k) {
    const double t = 0.02 * k;
    const msgs::TwistStamped twist =
        driveTwist(truth.options, "main", truth.motion, t, kSampleDriveStart, k);
    const DriveMotion::Derivatives now = truth.motion.derivativesAt(t);
    measured += twist.twist.linear.x;
    driven += now.linear.x();
    turn += (twist.twist.angular.z - now.angular.z()) / 1000;
  }
  EXPECT_NEAR(measured / driven, 1.015, 1e-3);
  EXPECT_NEAR(turn, 0.003, 5e-4);
}

}  // namespace
}  // namespace gs
