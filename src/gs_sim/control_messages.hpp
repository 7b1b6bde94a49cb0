// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/autoware_control_msgs.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/types.hpp"

// The messages of /vehicle/control_cmd and the one value they all become; the only conversion.
namespace gs_sim {

ControlInput toControlInput(const gs::msgs::AckermannDriveStamped& message);
// Speed and yaw rate; below walking pace the steering that this yaw rate needs at walking pace.
ControlInput toControlInput(const gs::msgs::TwistStamped& message,
                            const VehicleParameters& vehicle);
// Pedals are shares of what the vehicle can do. The gear gives the direction: in reverse a positive
// target means backwards.
ControlInput toControlInput(const gs::msgs::VehicleControlCmd& message,
                            const VehicleParameters& vehicle);

// Back again, for recordings. An AckermannDriveStamped cannot say Mode::Acceleration.
gs::msgs::AckermannDriveStamped toAckermann(const ControlInput& command,
                                            const std::string& base_link_frame);
gs::msgs::VehicleControlCmd toVehicleControlCmd(const ControlInput& command,
                                                const std::string& base_link_frame);

// Autoware's command. Its velocity is the target, its acceleration limits the way there: the
// stack's own speed controller then sees a vehicle that does what it was told.
ControlInput toControlInput(const gs::msgs::Control& message);

// Which names and types the simulator speaks besides those of its own.
enum class Interface { Standard, Autoware };

// Where commands come in, and as what.
struct CommandTopic {
  std::string name;
  gs::RosTypeTree type;
};
// The first is where ROS 2 listens; browsers send the one of the control mode.
std::vector<CommandTopic> commandTopics(ControlMode mode, Interface interface);

constexpr const char* kCommandTopic = "/vehicle/control_cmd";
// In recordings: what others asked for who took the wheel from the simulator's own driver, and what
// became of commands that were not obeyed as they came.
constexpr const char* kTakeOverTopic = "/sim/takeover_cmd";
constexpr const char* kOwnCommandTopic = "/sim/driver_cmd";

// The command in the bytes of a message, for every wire and log: one of the four types above.
// Nothing for other types and for bytes that are no such message; `why` says so.
std::optional<ControlInput> findControlInput(std::string_view ros_type, gs::Bytes bytes,
                                             const VehicleParameters& vehicle, std::string* why);
bool isControlType(std::string_view ros_type);

}  // namespace gs_sim
