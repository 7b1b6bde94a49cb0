// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gs/core/bytes.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
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

// The command in the bytes of a message of one of the three types. Nothing for other types and for
// bytes that are no such message; `why` says so.
std::optional<ControlInput> findControlInput(std::string_view ros_type, gs::Bytes bytes,
                                             const VehicleParameters& vehicle, std::string* why);
bool isControlType(std::string_view ros_type);

}  // namespace gs_sim
