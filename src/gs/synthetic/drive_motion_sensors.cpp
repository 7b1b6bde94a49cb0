// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_motion_sensors.hpp"

#include <cmath>

#include "gs/bundle/map_geodesy.hpp"
#include "gs/synthetic/sample_messages.hpp"

namespace gs {
namespace {

Rng rngOf(const SampleDriveOptions& options, const std::string& section, const std::string& id,
          int64_t k = 0) {
  Rng rng = Rng(options.seed).fork(0x3050000000ULL + static_cast<uint64_t>(k));
  for (const char letter : section + "." + id) rng = rng.fork(static_cast<uint64_t>(letter));
  return rng;
}

Vec3 normal3(Rng& rng) {
  const double x = rng.normal(), y = rng.normal();
  return {x, y, rng.normal()};
}

Vec3 toVec3(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

template <size_t N>
void setDiagonal(std::array<double, N>& matrix, double value) {
  for (size_t i = 0; i < N; i += 4) matrix[i] = value;
}

}  // namespace

InertialTruth inertialTruthAt(const DriveMotion& motion, const Rigid3& base_from_imu, double t) {
  constexpr double kStep = 0.005, kGravity = 9.80665;
  const DriveMotion::Derivatives now = motion.derivativesAt(t);
  const Vec3 turning =
      (motion.derivativesAt(t + kStep).angular - motion.derivativesAt(t - kStep).angular) /
      (2 * kStep);
  const Vec3& arm = base_from_imu.translation;
  const Vec3 up = motion.mapFromBase(t).rotation.conjugate() * Vec3::UnitZ();
  const Vec3 force = now.acceleration + turning.cross(arm) +
                     now.angular.cross(now.angular.cross(arm)) + kGravity * up;
  const Quat imu_from_base = base_from_imu.rotation.conjugate();
  return {imu_from_base * now.angular, imu_from_base * force};
}

DriveImu::DriveImu(const SampleDriveOptions& options, const std::string& id)
    : imu_(options.rig.imus.at(id)),
      rng_(rngOf(options, "imus", id)),
      gyro_bias_(toVec3(imu_.spec.gyro_bias)),
      accel_bias_(toVec3(imu_.spec.accel_bias)) {}

msgs::Imu DriveImu::measure(const DriveMotion& motion, double t, Stamp stamp) {
  const Rigid3 base_from_imu = imu_.extrinsics.baseFromSensor();
  const InertialTruth truth = inertialTruthAt(motion, base_from_imu, t);
  const double root_rate = std::sqrt(imu_.rate_hz);  // density -> deviation of one value
  const double gyro_deviation = imu_.spec.gyro_noise_density * root_rate;
  const double accel_deviation = imu_.spec.accel_noise_density * root_rate;
  const Vec3 turn_rate = truth.turn_rate + gyro_bias_ + gyro_deviation * normal3(rng_);
  const Vec3 force = truth.specific_force + accel_bias_ + accel_deviation * normal3(rng_);
  gyro_bias_ += imu_.spec.gyro_random_walk / root_rate * normal3(rng_);
  accel_bias_ += imu_.spec.accel_random_walk / root_rate * normal3(rng_);

  msgs::Imu message;
  message.header = headerFor(stamp, imu_.frame_id);
  message.orientation_covariance[0] = -1;  // as drivers say that there is no orientation
  message.angular_velocity = {turn_rate.x(), turn_rate.y(), turn_rate.z()};
  message.linear_acceleration = {force.x(), force.y(), force.z()};
  setDiagonal(message.angular_velocity_covariance, gyro_deviation * gyro_deviation);
  setDiagonal(message.linear_acceleration_covariance, accel_deviation * accel_deviation);
  return message;
}

msgs::NavSatFix driveFix(const SampleDriveOptions& options, const std::string& id,
                         const DriveMotion& motion, double t, Stamp stamp, int64_t k) {
  const GnssCalibration& gnss = options.rig.gnss.at(id);
  Rng rng = rngOf(options, "gnss", id, k);
  const Vec3 antenna = motion.mapFromBase(t) * gnss.extrinsics.baseFromSensor().translation;
  const Vec3 deviation(gnss.spec.horizontal_std, gnss.spec.horizontal_std, gnss.spec.vertical_std);
  const MapAnchor anchor{
      .origin = {kSampleOrigin.latitude, kSampleOrigin.longitude, kSampleOrigin.altitude}};
  const GeoPoint point = geoFromMap(anchor, antenna + deviation.cwiseProduct(normal3(rng)));
  msgs::NavSatFix fix;
  fix.header = headerFor(stamp, gnss.frame_id);
  fix.status.service = msgs::NavSatStatus::kServiceGps;
  if (rng.uniform() < options.no_fix_share) {
    fix.status.status = msgs::NavSatStatus::kStatusNoFix;  // and nothing else is worth anything
    return fix;
  }
  fix.latitude = point.latitude;
  fix.longitude = point.longitude;
  fix.altitude = point.altitude;
  fix.position_covariance = {deviation.x() * deviation.x(), 0, 0, 0,
                             deviation.y() * deviation.y(), 0, 0, 0,
                             deviation.z() * deviation.z()};
  fix.position_covariance_type = msgs::NavSatFix::kCovarianceTypeDiagonalKnown;
  return fix;
}

msgs::TwistStamped driveTwist(const SampleDriveOptions& options, const std::string& id,
                              const DriveMotion& motion, double t, Stamp stamp, int64_t k) {
  const WheelOdometrySpec& spec = options.rig.wheel_odometry.at(id).spec;
  Rng rng = rngOf(options, "wheel_odometry", id, k);
  const DriveMotion::Derivatives now = motion.derivativesAt(t);
  msgs::TwistStamped message;
  message.header = headerFor(stamp, "base_link");
  message.twist.linear.x = spec.speed_scale * now.linear.x() + spec.speed_noise_std * rng.normal();
  message.twist.angular.z =
      now.angular.z() + spec.yaw_rate_bias + spec.yaw_rate_noise_std * rng.normal();
  return message;
}

}  // namespace gs
