// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/autoware_interface.hpp"

#include <cmath>

#include "gs_sim/to_messages.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;

constexpr Qos kStatus{.depth = 10};

msgs::Time toTime(gs::Stamp stamp) {
  const auto [sec, nanosec] = gs::toSecNanosec(stamp);
  return {sec, nanosec};
}

}  // namespace

gs_sim::ControlInput toControlInput(const msgs::Control& command) {
  gs_sim::ControlInput control;
  const auto& [lateral, longitudinal] = std::tie(command.lateral, command.longitudinal);
  control.steering_angle = lateral.steering_tire_angle;
  if (lateral.is_defined_steering_tire_rotation_rate)
    control.steering_angle_velocity = std::abs(lateral.steering_tire_rotation_rate);
  control.speed = longitudinal.velocity;
  if (longitudinal.is_defined_acceleration)
    control.acceleration = std::abs(longitudinal.acceleration);
  control.stamp = gs::fromSecNanosec({command.stamp.sec, command.stamp.nanosec});
  return control;
}

uint8_t toAutowareGear(gs_sim::Gear gear) {
  switch (gear) {
    case gs_sim::Gear::Park: return msgs::GearReport::kPark;
    case gs_sim::Gear::Reverse: return msgs::GearReport::kReverse;
    case gs_sim::Gear::Neutral: return msgs::GearReport::kNeutral;
    case gs_sim::Gear::Drive: break;
  }
  return msgs::GearReport::kDrive;
}

AutowareInterface::AutowareInterface(Node& node, StepTopics& topics,
                                     std::function<void(const gs_sim::ControlInput&)> receive)
    : receive_(std::move(receive)),
      mode_(msgs::ControlModeReport::kAutonomous),
      gear_command_(msgs::GearCommand::kNone),
      turn_indicators_(msgs::TurnIndicatorsReport::kDisable),
      hazard_lights_(msgs::HazardLightsReport::kDisable),
      velocity_(topics.advertise<msgs::VelocityReport>("vehicle/status/velocity_status", kStatus)),
      steering_(topics.advertise<msgs::SteeringReport>("vehicle/status/steering_status", kStatus)),
      gear_(topics.advertise<msgs::GearReport>("vehicle/status/gear_status", kStatus)),
      control_mode_(
          topics.advertise<msgs::ControlModeReport>("vehicle/status/control_mode", kStatus)),
      turn_indicators_report_(topics.advertise<msgs::TurnIndicatorsReport>(
          "vehicle/status/turn_indicators_status", kStatus)),
      hazard_lights_report_(topics.advertise<msgs::HazardLightsReport>(
          "vehicle/status/hazard_lights_status", kStatus)),
      kinematic_state_(topics.advertise<msgs::Odometry>("localization/kinematic_state", kStatus)),
      acceleration_(topics.advertise<msgs::AccelWithCovarianceStamped>("localization/acceleration",
                                                                       kStatus)) {
  commands_ = &node.subscribe<msgs::Control>(kCommandTopic, kStatus, [this](msgs::Control&& c) {
    if (mode_ != msgs::ControlModeReport::kAutonomous || !is_engaged_) return;
    gs_sim::ControlInput control = toControlInput(c);
    if (gear_command_ == msgs::GearCommand::kPark) control.speed = 0;
    receive_(control);
  });
  node.subscribe<msgs::GearCommand>("control/command/gear_cmd", kStatus,
                                    [this](auto&& command) { gear_command_ = command.command; });
  node.subscribe<msgs::TurnIndicatorsCommand>(
      "control/command/turn_indicators_cmd", kStatus,
      [this](auto&& command) { turn_indicators_ = command.command; });
  node.subscribe<msgs::HazardLightsCommand>(
      "control/command/hazard_lights_cmd", kStatus,
      [this](auto&& command) { hazard_lights_ = command.command; });
  node.subscribe<msgs::Engage>("vehicle/engage", kStatus,
                               [this](auto&& command) { is_engaged_ = command.engage; });
  node.serve<msgs::ControlModeCommandRequest, msgs::ControlModeCommandResponse>(
      "control/control_mode_request", [this](const msgs::ControlModeCommandRequest& request) {
        const bool is_known = request.mode == msgs::ControlModeCommandRequest::kAutonomous ||
                              request.mode == msgs::ControlModeCommandRequest::kManual;
        if (is_known) mode_ = request.mode;
        return msgs::ControlModeCommandResponse{.success = is_known};
      });
}

void AutowareInterface::publish(const gs_sim::StepOutput& step, const gs_sim::FrameNames& frames,
                                const msgs::Odometry& odometry) {
  const msgs::Time stamp = toTime(step.info.stamp);
  const gs_sim::EgoState& ego = step.ego;
  const msgs::Header header{.stamp = stamp, .frame_id = frames.base_link};
  velocity_.publish({.header = header,
                     .longitudinal_velocity = static_cast<float>(ego.twist.vx),
                     .lateral_velocity = static_cast<float>(ego.twist.vy),
                     .heading_rate = static_cast<float>(ego.twist.wz)});
  steering_.publish(
      {.stamp = stamp, .steering_tire_angle = static_cast<float>(ego.steering_angle)});
  const uint8_t commanded = gear_command_;
  gear_.publish(
      {.stamp = stamp,
       .report = commanded != msgs::GearCommand::kNone ? commanded : toAutowareGear(ego.gear)});
  control_mode_.publish({.stamp = stamp, .mode = mode_});
  turn_indicators_report_.publish({.stamp = stamp, .report = turn_indicators_});
  hazard_lights_report_.publish({.stamp = stamp, .report = hazard_lights_});

  // Autoware localises in the map frame.
  msgs::Odometry in_map = odometry;
  in_map.header.frame_id = frames.map;
  in_map.pose.pose.position = {.x = ego.pose.x, .y = ego.pose.y, .z = ego.pose.z};
  in_map.pose.pose.orientation = {
      .x = ego.pose.qx, .y = ego.pose.qy, .z = ego.pose.qz, .w = ego.pose.qw};
  kinematic_state_.publish(std::move(in_map));
  msgs::AccelWithCovarianceStamped acceleration{.header = header};
  acceleration.accel.accel = gs_sim::accelOf(ego);
  acceleration_.publish(std::move(acceleration));
}

}  // namespace gs_ros2
