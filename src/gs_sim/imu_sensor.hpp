// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/linear.hpp"
#include "gs/core/time.hpp"
#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

// What an IMU feels between two of its samples, in its own frame: as a real one it sums up over the
// time since the sample before, so that whoever integrates the samples gets the driven path back.
struct ImuSample {
  gs::Stamp stamp;
  gs::Vec3 angular_velocity = gs::Vec3::Zero();  // rad/s, mean
  gs::Vec3 specific_force = gs::Vec3::Zero();    // m/s^2, mean; gravity's reaction included
};

constexpr double kStandardGravity = 9.80665;  // m/s^2

// Inertial sensors. Each publishes /imu/<id>/data (sensor_msgs/Imu, without orientation). The mount
// counts with its lever arm: a sensor in front of the axle is swung outwards in a curve. White
// noise, a bias and its random walk are those of the calibration.
SensorKind imuKind();

}  // namespace gs_sim
