// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/control_messages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

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

template <typename Message>
std::optional<ControlInput> decoded(gs::Bytes bytes, const VehicleParameters& vehicle,
                                    std::string* why) {
  const auto message = gs::findCdr<Message>(bytes, why);
  if (!message) return std::nullopt;
  if constexpr (requires { toControlInput(*message, vehicle); })
    return toControlInput(*message, vehicle);
  else return toControlInput(*message);
}

struct Decoder {
  std::string_view type;
  std::optional<ControlInput> (*decode)(gs::Bytes, const VehicleParameters&, std::string*);
};
template <typename Message>
constexpr Decoder kDecoderOf{Message::kRosType, decoded<Message>};

// To understand another type of command, add its conversion and a row.
constexpr Decoder kDecoders[] = {kDecoderOf<AckermannDriveStamped>, kDecoderOf<TwistStamped>,
                                 kDecoderOf<VehicleControlCmd>, kDecoderOf<gs::msgs::Control>};

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

ControlInput toControlInput(const gs::msgs::Control& message) {
  const auto& [lateral, longitudinal] = std::tie(message.lateral, message.longitudinal);
  ControlInput command;
  command.steering_angle = lateral.steering_tire_angle;
  if (lateral.is_defined_steering_tire_rotation_rate)
    command.steering_angle_velocity = std::abs(lateral.steering_tire_rotation_rate);
  command.speed = longitudinal.velocity;
  if (longitudinal.is_defined_acceleration)
    command.acceleration = std::abs(longitudinal.acceleration);
  command.stamp = gs::fromSecNanosec({message.stamp.sec, message.stamp.nanosec});
  return command;
}

std::vector<CommandTopic> commandTopics(ControlMode mode, Interface interface) {
  std::vector<CommandTopic> topics;
  if (interface == Interface::Autoware)
    topics.push_back({"/control/command/control_cmd", gs::describeRosType<gs::msgs::Control>()});
  switch (mode) {
    case ControlMode::Ackermann:
      topics.push_back({kCommandTopic, gs::describeRosType<AckermannDriveStamped>()});
      break;
    case ControlMode::Twist:
      topics.push_back({kCommandTopic, gs::describeRosType<TwistStamped>()});
      break;
    case ControlMode::Custom:
      topics.push_back({kCommandTopic, gs::describeRosType<VehicleControlCmd>()});
      break;
  }
  return topics;
}

bool isControlType(std::string_view ros_type) {
  return std::any_of(std::begin(kDecoders), std::end(kDecoders),
                     [&](const Decoder& decoder) { return decoder.type == ros_type; });
}

std::optional<ControlInput> findControlInput(std::string_view ros_type, gs::Bytes bytes,
                                             const VehicleParameters& vehicle, std::string* why) {
  for (const Decoder& decoder : kDecoders) {
    if (decoder.type != ros_type) continue;
    auto command = decoder.decode(bytes, vehicle, why);
    if (command)
      command->message = std::make_shared<const CommandMessage>(
          CommandMessage{std::string(ros_type), {bytes.begin(), bytes.end()}});
    return command;
  }
  if (why) *why = "'" + std::string(ros_type) + "' is not a control command";
  return std::nullopt;
}

}  // namespace gs_sim
