// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/autoware_interface.hpp"

#include <utility>

#include "gs/msgs/autoware_control_msgs.hpp"
#include "gs/msgs/autoware_vehicle_msgs.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;

constexpr Qos kCommands{.depth = 10};

}  // namespace

AutowareInterface::AutowareInterface(Node& node, const gs_sim::CommandTopic& commands,
                                     const gs_sim::VehicleParameters& parameters,
                                     std::shared_ptr<gs_sim::AutowareVehicle> vehicle,
                                     std::function<void(const gs_sim::ControlInput&)> receive)
    : vehicle_(std::move(vehicle)), receive_(std::move(receive)) {
  commands_ = &node.subscribe(
      commands.name.substr(1), commands.type, kCommands,
      [this, commands, parameters](gs::Bytes bytes) { return take(commands, parameters, bytes); });
  gs_sim::AutowareVehicle& said = *vehicle_;
  node.subscribe<msgs::GearCommand>("control/command/gear_cmd", kCommands, [&said](auto&& command) {
    said.gear_command = command.command;
  });
  node.subscribe<msgs::TurnIndicatorsCommand>(
      "control/command/turn_indicators_cmd", kCommands,
      [&said](auto&& command) { said.turn_indicators = command.command; });
  node.subscribe<msgs::HazardLightsCommand>(
      "control/command/hazard_lights_cmd", kCommands,
      [&said](auto&& command) { said.hazard_lights = command.command; });
  node.subscribe<msgs::Engage>("vehicle/engage", kCommands,
                               [&said](auto&& command) { said.is_engaged = command.engage; });
  node.serve<msgs::ControlModeCommandRequest, msgs::ControlModeCommandResponse>(
      "control/control_mode_request", [&said](const msgs::ControlModeCommandRequest& request) {
        const bool is_known = request.mode == msgs::ControlModeCommandRequest::kAutonomous ||
                              request.mode == msgs::ControlModeCommandRequest::kManual;
        if (is_known) said.mode = request.mode;
        return msgs::ControlModeCommandResponse{.success = is_known};
      });
}

bool AutowareInterface::take(const gs_sim::CommandTopic& topic,
                             const gs_sim::VehicleParameters& parameters, gs::Bytes bytes) {
  auto control = gs_sim::findControlInput(topic.type.type.name, bytes, parameters, nullptr);
  if (!control) return false;
  if (vehicle_->mode != msgs::ControlModeReport::kAutonomous || !vehicle_->is_engaged) return true;
  if (vehicle_->gear_command == msgs::GearCommand::kPark) {
    control->speed = 0;
    control->message.reset();  // it is not obeyed as it came
  }
  receive_(*control);
  return true;
}

}  // namespace gs_ros2
