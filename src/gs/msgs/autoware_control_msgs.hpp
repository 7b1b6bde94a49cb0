// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/msgs/builtin_interfaces.hpp"

namespace gs::msgs {

// autoware_control_msgs/msg/Lateral.
struct Lateral {
  static constexpr const char* kRosType = "autoware_control_msgs/msg/Lateral";

  Time stamp;
  Time control_time;
  float steering_tire_angle = 0;
  float steering_tire_rotation_rate = 0;
  bool is_defined_steering_tire_rotation_rate = false;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("control_time", self.control_time);
    visit("steering_tire_angle", self.steering_tire_angle);
    visit("steering_tire_rotation_rate", self.steering_tire_rotation_rate);
    visit("is_defined_steering_tire_rotation_rate", self.is_defined_steering_tire_rotation_rate);
  }
  bool operator==(const Lateral&) const = default;
};

// autoware_control_msgs/msg/Longitudinal.
struct Longitudinal {
  static constexpr const char* kRosType = "autoware_control_msgs/msg/Longitudinal";

  Time stamp;
  Time control_time;
  float velocity = 0;
  float acceleration = 0;
  float jerk = 0;
  bool is_defined_acceleration = false;
  bool is_defined_jerk = false;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("control_time", self.control_time);
    visit("velocity", self.velocity);
    visit("acceleration", self.acceleration);
    visit("jerk", self.jerk);
    visit("is_defined_acceleration", self.is_defined_acceleration);
    visit("is_defined_jerk", self.is_defined_jerk);
  }
  bool operator==(const Longitudinal&) const = default;
};

// autoware_control_msgs/msg/Control.
struct Control {
  static constexpr const char* kRosType = "autoware_control_msgs/msg/Control";

  Time stamp;
  Time control_time;
  Lateral lateral;
  Longitudinal longitudinal;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("control_time", self.control_time);
    visit("lateral", self.lateral);
    visit("longitudinal", self.longitudinal);
  }
  bool operator==(const Control&) const = default;
};

}  // namespace gs::msgs
