// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/core/time.hpp"
#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

// What the wheels and a gyroscope say, and where that would lead.
struct WheelReading {
  gs::Stamp stamp;
  // Front left, front right, rear left, rear right.
  std::array<double, 4> wheel_angles{};  // rad, turned since the start
  std::array<double, 4> wheel_rates{};   // rad/s
  double speed = 0;                      // m/s, as measured
  double yaw_rate = 0;                   // rad/s, as measured
  double x = 0, y = 0, yaw = 0;          // of base_link, counted from where it started
};

// Odometry from wheels. Each publishes /wheel_odometry/<id>/joint_states (sensor_msgs/JointState,
// rad and rad/s by vehicle.wheel_radius) and /wheel_odometry/<id>/odom (nav_msgs/Odometry in the
// frame of the calibration), which drifts by the error of its scale and of its gyroscope. It begins
// anew where the ego is put.
SensorKind wheelOdometryKind();

}  // namespace gs_sim
