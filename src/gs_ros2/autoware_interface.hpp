// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "gs/msgs/autoware_control_msgs.hpp"
#include "gs/msgs/autoware_vehicle_msgs.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/step_topics.hpp"
#include "gs_sim/simulator.hpp"
#include "gs_sim/types.hpp"

namespace gs_ros2 {

// Autoware's command as ours. Its velocity is the target, its acceleration limits the way there:
// the stack's own speed controller then sees a vehicle that does what it was told.
gs_sim::ControlInput toControlInput(const gs::msgs::Control& command);

uint8_t toAutowareGear(gs_sim::Gear gear);

// The vehicle as Autoware knows one: commands under /control/command, reports under
// /vehicle/status, the pose under /localization. It replaces /vehicle/control_cmd; all other topics
// stay.
class AutowareInterface {
 public:
  static constexpr const char* kCommandTopic = "control/command/control_cmd";

  AutowareInterface(Node& node, StepTopics& topics,
                    std::function<void(const gs_sim::ControlInput&)> receive);

  void publish(const gs_sim::StepOutput& step, const gs_sim::FrameNames& frames,
               const gs::msgs::Odometry& odometry);

  Reader& commands() const { return *commands_; }

 private:
  std::function<void(const gs_sim::ControlInput&)> receive_;
  // Written on threads of DDS, read by the loop.
  std::atomic<uint8_t> mode_, gear_command_, turn_indicators_, hazard_lights_;
  std::atomic<bool> is_engaged_ = true;
  Reader* commands_ = nullptr;

  StepPublisher<gs::msgs::VelocityReport> velocity_;
  StepPublisher<gs::msgs::SteeringReport> steering_;
  StepPublisher<gs::msgs::GearReport> gear_;
  StepPublisher<gs::msgs::ControlModeReport> control_mode_;
  StepPublisher<gs::msgs::TurnIndicatorsReport> turn_indicators_report_;
  StepPublisher<gs::msgs::HazardLightsReport> hazard_lights_report_;
  StepPublisher<gs::msgs::Odometry> kinematic_state_;
  StepPublisher<gs::msgs::AccelWithCovarianceStamped> acceleration_;
};

}  // namespace gs_ros2
