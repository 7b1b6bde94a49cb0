// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/std_msgs.hpp"

// Our own messages; gs_sim_msgs/{msg,srv}/ holds the definitions, msgs_test compares.
namespace gs::msgs {

// gs_sim_msgs/msg/VehicleControlCmd.
struct VehicleControlCmd {
  static constexpr const char* kRosType = "gs_sim_msgs/msg/VehicleControlCmd";
  static constexpr uint8_t kGearPark = 0;
  static constexpr uint8_t kGearReverse = 1;
  static constexpr uint8_t kGearNeutral = 2;
  static constexpr uint8_t kGearDrive = 3;
  static constexpr uint8_t kModeDirect = 0;
  static constexpr uint8_t kModeVelocity = 1;
  static constexpr uint8_t kModeAcceleration = 2;

  Header header;
  float steering_angle = 0;
  float steering_angle_rate = 0;
  float throttle = 0;
  float brake = 0;
  float target_velocity = 0;
  float target_acceleration = 0;
  uint8_t gear = 0;
  uint8_t control_mode = 0;

  static void constants(auto&& visit) {
    visit("GEAR_PARK", kGearPark);
    visit("GEAR_REVERSE", kGearReverse);
    visit("GEAR_NEUTRAL", kGearNeutral);
    visit("GEAR_DRIVE", kGearDrive);
    visit("MODE_DIRECT", kModeDirect);
    visit("MODE_VELOCITY", kModeVelocity);
    visit("MODE_ACCELERATION", kModeAcceleration);
  }
  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("steering_angle", self.steering_angle);
    visit("steering_angle_rate", self.steering_angle_rate);
    visit("throttle", self.throttle);
    visit("brake", self.brake);
    visit("target_velocity", self.target_velocity);
    visit("target_acceleration", self.target_acceleration);
    visit("gear", self.gear);
    visit("control_mode", self.control_mode);
  }
  bool operator==(const VehicleControlCmd&) const = default;
};

// gs_sim_msgs/msg/VehicleState.
struct VehicleState {
  static constexpr const char* kRosType = "gs_sim_msgs/msg/VehicleState";

  Header header;
  Pose pose;
  Twist twist;
  Accel accel;
  float steering_angle = 0;
  float steering_angle_rate = 0;
  float wheel_speed_fl = 0;
  float wheel_speed_fr = 0;
  float wheel_speed_rl = 0;
  float wheel_speed_rr = 0;
  uint8_t gear = 0;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("pose", self.pose);
    visit("twist", self.twist);
    visit("accel", self.accel);
    visit("steering_angle", self.steering_angle);
    visit("steering_angle_rate", self.steering_angle_rate);
    visit("wheel_speed_fl", self.wheel_speed_fl);
    visit("wheel_speed_fr", self.wheel_speed_fr);
    visit("wheel_speed_rl", self.wheel_speed_rl);
    visit("wheel_speed_rr", self.wheel_speed_rr);
    visit("gear", self.gear);
  }
  bool operator==(const VehicleState&) const = default;
};

// gs_sim_msgs/msg/SimulationStatus.
struct SimulationStatus {
  static constexpr const char* kRosType = "gs_sim_msgs/msg/SimulationStatus";

  Header header;
  Time sim_time;
  double sim_dt = 0;
  uint64_t step_count = 0;
  double real_time_factor = 0;
  double step_duration_ms = 0;
  bool is_collision = false;
  bool is_offroad = false;
  bool is_paused = false;
  std::vector<std::string> warnings;
  std::vector<std::string> errors;
  double speed_limit = 0;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("sim_time", self.sim_time);
    visit("sim_dt", self.sim_dt);
    visit("step_count", self.step_count);
    visit("real_time_factor", self.real_time_factor);
    visit("step_duration_ms", self.step_duration_ms);
    visit("is_collision", self.is_collision);
    visit("is_offroad", self.is_offroad);
    visit("is_paused", self.is_paused);
    visit("warnings", self.warnings);
    visit("errors", self.errors);
    visit("speed_limit", self.speed_limit);
  }
  bool operator==(const SimulationStatus&) const = default;
};

// gs_sim_msgs/msg/WorldInfo.
struct WorldInfo {
  static constexpr const char* kRosType = "gs_sim_msgs/msg/WorldInfo";

  Header header;
  std::string world_id;
  std::string world_bundle_path;
  std::string source_mcap;
  std::string world_version;
  std::string map_frame;
  std::string odom_frame;
  std::string base_link_frame;
  Point world_origin;
  double world_extent_x = 0;
  double world_extent_y = 0;
  double world_extent_z = 0;
  std::vector<std::string> available_cameras;
  std::vector<std::string> available_lidars;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("world_id", self.world_id);
    visit("world_bundle_path", self.world_bundle_path);
    visit("source_mcap", self.source_mcap);
    visit("world_version", self.world_version);
    visit("map_frame", self.map_frame);
    visit("odom_frame", self.odom_frame);
    visit("base_link_frame", self.base_link_frame);
    visit("world_origin", self.world_origin);
    visit("world_extent_x", self.world_extent_x);
    visit("world_extent_y", self.world_extent_y);
    visit("world_extent_z", self.world_extent_z);
    visit("available_cameras", self.available_cameras);
    visit("available_lidars", self.available_lidars);
  }
  bool operator==(const WorldInfo&) const = default;
};

// gs_sim_msgs/srv/LoadWorld_Request.
struct LoadWorldRequest {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/LoadWorld_Request";

  std::string world_bundle_path;

  static void fields(auto& self, auto&& visit) {
    visit("world_bundle_path", self.world_bundle_path);
  }
  bool operator==(const LoadWorldRequest&) const = default;
};

// gs_sim_msgs/srv/LoadWorld_Response.
struct LoadWorldResponse {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/LoadWorld_Response";

  bool success = false;
  std::string message;
  WorldInfo world_info;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
    visit("world_info", self.world_info);
  }
  bool operator==(const LoadWorldResponse&) const = default;
};

// gs_sim_msgs/srv/ResetWorld_Request.
struct ResetWorldRequest {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/ResetWorld_Request";

  Pose initial_pose;
  bool reset_time = false;
  bool use_initial_pose = false;

  static void fields(auto& self, auto&& visit) {
    visit("initial_pose", self.initial_pose);
    visit("reset_time", self.reset_time);
    visit("use_initial_pose", self.use_initial_pose);
  }
  bool operator==(const ResetWorldRequest&) const = default;
};

// gs_sim_msgs/srv/ResetWorld_Response.
struct ResetWorldResponse {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/ResetWorld_Response";

  bool success = false;
  std::string message;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
  }
  bool operator==(const ResetWorldResponse&) const = default;
};

// gs_sim_msgs/srv/SetEgoPose_Request.
struct SetEgoPoseRequest {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/SetEgoPose_Request";

  Pose pose;
  Twist twist;

  static void fields(auto& self, auto&& visit) {
    visit("pose", self.pose);
    visit("twist", self.twist);
  }
  bool operator==(const SetEgoPoseRequest&) const = default;
};

// gs_sim_msgs/srv/SetEgoPose_Response.
struct SetEgoPoseResponse {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/SetEgoPose_Response";

  bool success = false;
  std::string message;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
  }
  bool operator==(const SetEgoPoseResponse&) const = default;
};

// gs_sim_msgs/srv/SimulationControl_Request.
struct SimulationControlRequest {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/SimulationControl_Request";
  static constexpr uint8_t kCmdPause = 0;
  static constexpr uint8_t kCmdResume = 1;
  static constexpr uint8_t kCmdStep = 2;
  static constexpr uint8_t kCmdReset = 3;

  uint8_t command = 0;
  bool step_once = false;

  static void constants(auto&& visit) {
    visit("CMD_PAUSE", kCmdPause);
    visit("CMD_RESUME", kCmdResume);
    visit("CMD_STEP", kCmdStep);
    visit("CMD_RESET", kCmdReset);
  }
  static void fields(auto& self, auto&& visit) {
    visit("command", self.command);
    visit("step_once", self.step_once);
  }
  bool operator==(const SimulationControlRequest&) const = default;
};

// gs_sim_msgs/srv/SimulationControl_Response.
struct SimulationControlResponse {
  static constexpr const char* kRosType = "gs_sim_msgs/srv/SimulationControl_Response";

  bool success = false;
  std::string message;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
  }
  bool operator==(const SimulationControlResponse&) const = default;
};

}  // namespace gs::msgs
