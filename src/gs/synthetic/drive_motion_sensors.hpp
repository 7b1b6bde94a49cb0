// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/core/rng.hpp"
#include "gs/core/time.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/synthetic/drive_motion.hpp"
#include "gs/synthetic/drive_options.hpp"

// What the motion sensors of a made drive's rig measure, with the errors that the rig says they
// have. Every sensor has random numbers of its own.
namespace gs {

// What an ideal IMU at this mount measures, in its own frame.
struct InertialTruth {
  Vec3 turn_rate, specific_force;
};
InertialTruth inertialTruthAt(const DriveMotion& motion, const Rigid3& base_from_imu, double t);

// One IMU; its bias wanders, so messages are asked for in the order of time.
class DriveImu {
 public:
  DriveImu(const SampleDriveOptions& options, const std::string& id);
  msgs::Imu measure(const DriveMotion& motion, double t, Stamp stamp);

 private:
  const ImuCalibration& imu_;
  Rng rng_;
  Vec3 gyro_bias_, accel_bias_;
};

// Message number k of a receiver, of wheels.
msgs::NavSatFix driveFix(const SampleDriveOptions& options, const std::string& id,
                         const DriveMotion& motion, double t, Stamp stamp, int64_t k);
msgs::TwistStamped driveTwist(const SampleDriveOptions& options, const std::string& id,
                              const DriveMotion& motion, double t, Stamp stamp, int64_t k);

}  // namespace gs
