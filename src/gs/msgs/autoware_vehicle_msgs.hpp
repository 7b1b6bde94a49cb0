// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// autoware_vehicle_msgs/msg/VelocityReport.
struct VelocityReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/VelocityReport";

  Header header;
  float longitudinal_velocity = 0;
  float lateral_velocity = 0;
  float heading_rate = 0;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("longitudinal_velocity", self.longitudinal_velocity);
    visit("lateral_velocity", self.lateral_velocity);
    visit("heading_rate", self.heading_rate);
  }
  bool operator==(const VelocityReport&) const = default;
};

// autoware_vehicle_msgs/msg/SteeringReport.
struct SteeringReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/SteeringReport";

  Time stamp;
  float steering_tire_angle = 0;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("steering_tire_angle", self.steering_tire_angle);
  }
  bool operator==(const SteeringReport&) const = default;
};

// autoware_vehicle_msgs/msg/GearReport.
struct GearReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/GearReport";
  static constexpr uint8_t kNone = 0;
  static constexpr uint8_t kNeutral = 1;
  static constexpr uint8_t kDrive = 2;
  static constexpr uint8_t kReverse = 20;
  static constexpr uint8_t kReverse2 = 21;
  static constexpr uint8_t kPark = 22;
  static constexpr uint8_t kLow = 23;
  static constexpr uint8_t kLow2 = 24;

  Time stamp;
  uint8_t report = 0;

  static void constants(auto&& visit) {
    visit("NONE", kNone);
    visit("NEUTRAL", kNeutral);
    visit("DRIVE", kDrive);
    visit("REVERSE", kReverse);
    visit("REVERSE_2", kReverse2);
    visit("PARK", kPark);
    visit("LOW", kLow);
    visit("LOW_2", kLow2);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("report", self.report);
  }
  bool operator==(const GearReport&) const = default;
};

// autoware_vehicle_msgs/msg/GearCommand.
struct GearCommand {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/GearCommand";
  static constexpr uint8_t kNone = 0;
  static constexpr uint8_t kNeutral = 1;
  static constexpr uint8_t kDrive = 2;
  static constexpr uint8_t kReverse = 20;
  static constexpr uint8_t kReverse2 = 21;
  static constexpr uint8_t kPark = 22;
  static constexpr uint8_t kLow = 23;
  static constexpr uint8_t kLow2 = 24;

  Time stamp;
  uint8_t command = 0;

  static void constants(auto&& visit) {
    visit("NONE", kNone);
    visit("NEUTRAL", kNeutral);
    visit("DRIVE", kDrive);
    visit("REVERSE", kReverse);
    visit("REVERSE_2", kReverse2);
    visit("PARK", kPark);
    visit("LOW", kLow);
    visit("LOW_2", kLow2);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("command", self.command);
  }
  bool operator==(const GearCommand&) const = default;
};

// autoware_vehicle_msgs/msg/ControlModeReport.
struct ControlModeReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/ControlModeReport";
  static constexpr uint8_t kNoCommand = 0;
  static constexpr uint8_t kAutonomous = 1;
  static constexpr uint8_t kAutonomousSteerOnly = 2;
  static constexpr uint8_t kAutonomousVelocityOnly = 3;
  static constexpr uint8_t kManual = 4;
  static constexpr uint8_t kDisengaged = 5;
  static constexpr uint8_t kNotReady = 6;

  Time stamp;
  uint8_t mode = 0;

  static void constants(auto&& visit) {
    visit("NO_COMMAND", kNoCommand);
    visit("AUTONOMOUS", kAutonomous);
    visit("AUTONOMOUS_STEER_ONLY", kAutonomousSteerOnly);
    visit("AUTONOMOUS_VELOCITY_ONLY", kAutonomousVelocityOnly);
    visit("MANUAL", kManual);
    visit("DISENGAGED", kDisengaged);
    visit("NOT_READY", kNotReady);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("mode", self.mode);
  }
  bool operator==(const ControlModeReport&) const = default;
};

// autoware_vehicle_msgs/msg/Engage.
struct Engage {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/Engage";

  Time stamp;
  bool engage = false;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("engage", self.engage);
  }
  bool operator==(const Engage&) const = default;
};

// autoware_vehicle_msgs/msg/TurnIndicatorsReport.
struct TurnIndicatorsReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/TurnIndicatorsReport";
  static constexpr uint8_t kDisable = 1;
  static constexpr uint8_t kEnableLeft = 2;
  static constexpr uint8_t kEnableRight = 3;

  Time stamp;
  uint8_t report = 0;

  static void constants(auto&& visit) {
    visit("DISABLE", kDisable);
    visit("ENABLE_LEFT", kEnableLeft);
    visit("ENABLE_RIGHT", kEnableRight);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("report", self.report);
  }
  bool operator==(const TurnIndicatorsReport&) const = default;
};

// autoware_vehicle_msgs/msg/HazardLightsReport.
struct HazardLightsReport {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/HazardLightsReport";
  static constexpr uint8_t kDisable = 1;
  static constexpr uint8_t kEnable = 2;

  Time stamp;
  uint8_t report = 0;

  static void constants(auto&& visit) {
    visit("DISABLE", kDisable);
    visit("ENABLE", kEnable);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("report", self.report);
  }
  bool operator==(const HazardLightsReport&) const = default;
};

// autoware_vehicle_msgs/msg/TurnIndicatorsCommand.
struct TurnIndicatorsCommand {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/TurnIndicatorsCommand";
  static constexpr uint8_t kDisable = 1;
  static constexpr uint8_t kEnableLeft = 2;
  static constexpr uint8_t kEnableRight = 3;

  Time stamp;
  uint8_t command = 0;

  static void constants(auto&& visit) {
    visit("DISABLE", kDisable);
    visit("ENABLE_LEFT", kEnableLeft);
    visit("ENABLE_RIGHT", kEnableRight);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("command", self.command);
  }
  bool operator==(const TurnIndicatorsCommand&) const = default;
};

// autoware_vehicle_msgs/msg/HazardLightsCommand.
struct HazardLightsCommand {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/msg/HazardLightsCommand";
  static constexpr uint8_t kDisable = 1;
  static constexpr uint8_t kEnable = 2;

  Time stamp;
  uint8_t command = 0;

  static void constants(auto&& visit) {
    visit("DISABLE", kDisable);
    visit("ENABLE", kEnable);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("command", self.command);
  }
  bool operator==(const HazardLightsCommand&) const = default;
};

// autoware_vehicle_msgs/srv/ControlModeCommand_Request.
struct ControlModeCommandRequest {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/srv/ControlModeCommand_Request";
  static constexpr uint8_t kAutonomous = 1;
  static constexpr uint8_t kAutonomousSteerOnly = 2;
  static constexpr uint8_t kAutonomousVelocityOnly = 3;
  static constexpr uint8_t kManual = 4;

  Time stamp;
  uint8_t mode = 0;

  static void constants(auto&& visit) {
    visit("AUTONOMOUS", kAutonomous);
    visit("AUTONOMOUS_STEER_ONLY", kAutonomousSteerOnly);
    visit("AUTONOMOUS_VELOCITY_ONLY", kAutonomousVelocityOnly);
    visit("MANUAL", kManual);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("mode", self.mode);
  }
  bool operator==(const ControlModeCommandRequest&) const = default;
};

// autoware_vehicle_msgs/srv/ControlModeCommand_Response.
struct ControlModeCommandResponse {
  static constexpr const char* kRosType = "autoware_vehicle_msgs/srv/ControlModeCommand_Response";

  bool success = false;

  static void fields(auto& self, auto&& visit) { visit("success", self.success); }
  bool operator==(const ControlModeCommandResponse&) const = default;
};

}  // namespace gs::msgs
