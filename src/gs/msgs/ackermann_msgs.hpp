// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// ackermann_msgs/msg/AckermannDrive.
struct AckermannDrive {
  static constexpr const char* kRosType = "ackermann_msgs/msg/AckermannDrive";

  float steering_angle = 0;
  float steering_angle_velocity = 0;
  float speed = 0;
  float acceleration = 0;
  float jerk = 0;

  static void fields(auto& self, auto&& visit) {
    visit("steering_angle", self.steering_angle);
    visit("steering_angle_velocity", self.steering_angle_velocity);
    visit("speed", self.speed);
    visit("acceleration", self.acceleration);
    visit("jerk", self.jerk);
  }
  bool operator==(const AckermannDrive&) const = default;
};

// ackermann_msgs/msg/AckermannDriveStamped.
struct AckermannDriveStamped {
  static constexpr const char* kRosType = "ackermann_msgs/msg/AckermannDriveStamped";

  Header header;
  AckermannDrive drive;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("drive", self.drive);
  }
  bool operator==(const AckermannDriveStamped&) const = default;
};

}  // namespace gs::msgs
