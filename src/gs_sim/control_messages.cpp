// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/control_messages.hpp"

#include <algorithm>
#include <cmath>

#include "gs/formats/cdr.hpp"

namespace gs_sim {
namespace {

using gs::msgs::AckermannDriveStamped;
using gs::msgs::TwistStamped;
using gs::msgs::VehicleControlCmd;

constexpr double kWalkingPace = 0.5;  // m/s

gs::Stamp stampOf(const gs::msgs::Header& header) {
  return gs::fromSecNanosec({header.stamp.sec, header.stamp.nanosec});
}

gs::msgs::Header headerOf(gs::Stamp stamp, const std::string& frame) {
  const gs::SecNanosec time = gs::toSecNanosec(stamp);
  return {.stamp = {time.sec, time.nanosec}, .frame_id = frame};
}

template <typename Message, typename... Vehicle>
std::optional<ControlInput> decoded(gs::Bytes bytes, std::string* why, const Vehicle&... vehicle) {
  const auto message = gs::findCdr<Message>(bytes, why);
  if (!message) return std::nullopt;
  return toControlInput(*message, vehicle...);
}

}  // namespace

ControlInput toControlInput(const AckermannDriveStamped& message) {
  return {.steering_angle = message.drive.steering_angle,
          .steering_angle_velocity = message.drive.steering_angle_velocity,
          .speed = message.drive.speed,
          .acceleration = message.drive.acceleration,
          .stamp = stampOf(message.header)};
}

ControlInput toControlInput(const TwistStamped& message, const VehicleParameters& vehicle) {
  const double speed = message.twist.linear.x, yaw_rate = message.twist.angular.z;
  const double turning_at = std::copysign(std::max(std::abs(speed), kWalkingPace), speed);
  return {.steering_angle = std::atan(vehicle.wheelbase * yaw_rate / turning_at),
          .speed = speed,
          .stamp = stampOf(message.header)};
}

ControlInput toControlInput(const VehicleControlCmd& message, const VehicleParameters& vehicle) {
  ControlInput command{.steering_angle = message.steering_angle,
                       .steering_angle_velocity = message.steering_angle_rate,
                       .stamp = stampOf(message.header),
                       .gear = message.gear <= VehicleControlCmd::kGearDrive
                                   ? static_cast<Gear>(message.gear)
                                   : Gear::Park};
  const double ahead = command.gear == Gear::Reverse ? -1 : 1;
  switch (message.control_mode) {
    case VehicleControlCmd::kModeVelocity:
      // Without a gear that drives, the target is to stand.
      command.speed = drives(command.gear) ? ahead * message.target_velocity : 0.0;
      command.acceleration = message.target_acceleration;
      break;
    case VehicleControlCmd::kModeAcceleration:
      command.mode = ControlInput::Mode::Acceleration;
      command.acceleration = ahead * message.target_acceleration;
      break;
    default:
      command.mode = ControlInput::Mode::Acceleration;
      command.acceleration =
          ahead * (std::clamp<double>(message.throttle, 0, 1) * vehicle.max_acceleration -
                   std::clamp<double>(message.brake, 0, 1) * vehicle.max_deceleration);
      break;
  }
  return command;
}

AckermannDriveStamped toAckermann(const ControlInput& command, const std::string& frame) {
  return {.header = headerOf(command.stamp, frame),
          .drive = {.steering_angle = static_cast<float>(command.steering_angle),
                    .steering_angle_velocity = static_cast<float>(command.steering_angle_velocity),
                    .speed = static_cast<float>(command.speed),
                    .acceleration = static_cast<float>(command.acceleration)}};
}

VehicleControlCmd toVehicleControlCmd(const ControlInput& command, const std::string& frame) {
  const bool is_speed = command.mode == ControlInput::Mode::Speed;
  const Gear gear = gearOf(command);
  const double ahead = gear == Gear::Reverse ? -1 : 1;
  return {.header = headerOf(command.stamp, frame),
          .steering_angle = static_cast<float>(command.steering_angle),
          .steering_angle_rate = static_cast<float>(command.steering_angle_velocity),
          .target_velocity = static_cast<float>(is_speed ? ahead * command.speed : 0.0),
          .target_acceleration =
              static_cast<float>(is_speed ? command.acceleration : ahead * command.acceleration),
          .gear = static_cast<uint8_t>(gear),
          .control_mode =
              is_speed ? VehicleControlCmd::kModeVelocity : VehicleControlCmd::kModeAcceleration};
}

bool isControlType(std::string_view ros_type) {
  return ros_type == AckermannDriveStamped::kRosType || ros_type == TwistStamped::kRosType ||
         ros_type == VehicleControlCmd::kRosType;
}

std::optional<ControlInput> findControlInput(std::string_view ros_type, gs::Bytes bytes,
                                             const VehicleParameters& vehicle, std::string* why) {
  if (ros_type == AckermannDriveStamped::kRosType)
    return decoded<AckermannDriveStamped>(bytes, why);
  if (ros_type == TwistStamped::kRosType) return decoded<TwistStamped>(bytes, why, vehicle);
  if (ros_type == VehicleControlCmd::kRosType)
    return decoded<VehicleControlCmd>(bytes, why, vehicle);
  if (why) *why = "'" + std::string(ros_type) + "' is not a control command";
  return std::nullopt;
}

}  // namespace gs_sim
