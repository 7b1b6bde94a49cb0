// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/control_gate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {
namespace {

double asOnTheWire(double value) { return static_cast<double>(static_cast<float>(value)); }

bool isFinite(const ControlInput& command) {
  // After rounding: a double may be finite and its float not.
  return std::isfinite(static_cast<float>(command.steering_angle)) &&
         std::isfinite(static_cast<float>(command.steering_angle_velocity)) &&
         std::isfinite(static_cast<float>(command.speed)) &&
         std::isfinite(static_cast<float>(command.acceleration));
}

ControlInput rounded(ControlInput command) {
  command.steering_angle = asOnTheWire(command.steering_angle);
  command.steering_angle_velocity = asOnTheWire(command.steering_angle_velocity);
  command.speed = asOnTheWire(command.speed);
  command.acceleration = asOnTheWire(command.acceleration);
  command.gear = gearOf(command);
  return command;
}

GateVerdict refused(std::string kind, std::string why) {
  return {false, kind, "[ControlGate] " + kind + ": " + std::move(why) + ": ignored"};
}

}  // namespace

ControlGate::ControlGate(const VehicleParameters& vehicle, double timeout_sec, gs::Stamp start)
    : vehicle_(vehicle),
      timeout_(gs::findDuration(timeout_sec).value_or(gs::Duration())),
      heard_at_(start) {}

GateVerdict ControlGate::offer(const ControlInput& command, const StepInfo& info) {
  if (!isFinite(command))
    return refused("INVALID_CONTROL_INPUT",
                   fmt::format("steering_angle={}, speed={}, acceleration={}: not finite",
                               command.steering_angle, command.speed, command.acceleration));
  const bool is_stamped = command.stamp.ns != 0;
  const gs::Stamp stamp = is_stamped ? command.stamp : info.stamp;
  if (stamp < info.stamp && timeout_.ns > 0 && info.stamp - stamp > timeout_)
    return refused("INVALID_TIMESTAMP",
                   fmt::format("a command is {:.3f} s old", gs::toSeconds(info.stamp - stamp)));
  if (held_ && is_stamped && stamp < held_->stamp)
    return refused("INVALID_TIMESTAMP", fmt::format("a command is {:.3f} s older than the last",
                                                    gs::toSeconds(held_->stamp - stamp)));
  GateVerdict verdict;
  if (stamp > info.stamp) {
    // One step ahead is usual: it was computed for the step that follows.
    if (stamp - info.stamp > info.dt)
      verdict = {true, "INVALID_TIMESTAMP",
                 "[ControlGate] INVALID_TIMESTAMP: commands are stamped in the future: taken as of "
                 "now; does their sender use simulated time (use_sim_time)?"};
  }
  held_ = rounded(command);
  held_->stamp = std::min(stamp, info.stamp);
  heard_at_ = held_->stamp;
  if (std::abs(held_->steering_angle) > vehicle_.max_steering_angle)
    verdict = {true, "INVALID_CONTROL_INPUT",
               fmt::format("[VehicleDynamics] INVALID_CONTROL_INPUT: steering_angle={:.4g} exceeds "
                           "max_steering_angle={:.4g}",
                           held_->steering_angle, vehicle_.max_steering_angle)};
  else if (held_->mode == ControlInput::Mode::Speed &&
           (held_->speed > vehicle_.max_speed || held_->speed < -vehicle_.max_reverse_speed))
    verdict = {true, "INVALID_CONTROL_INPUT",
               fmt::format("[VehicleDynamics] INVALID_CONTROL_INPUT: speed={:.4g} is not within "
                           "-max_reverse_speed={:.4g} and max_speed={:.4g}",
                           held_->speed, -vehicle_.max_reverse_speed, vehicle_.max_speed)};
  return verdict;
}

bool ControlGate::isTimedOut(const StepInfo& info) const {
  return timeout_.ns > 0 && info.stamp - heard_at_ > timeout_;
}

void ControlGate::restart(gs::Stamp now) {
  held_.reset();
  heard_at_ = now;
}

DriveDemand ControlGate::demandAt(const StepInfo& info, const EgoState& state) const {
  const double dt = gs::toSeconds(info.dt);
  DriveDemand demand{.steering_angle = state.steering_angle,
                     .steering_rate_limit = vehicle_.max_steering_rate,
                     .gear = state.gear};
  if (isTimedOut(info)) {
    demand.acceleration =
        std::clamp(-state.speed / dt, -kEmergencyDeceleration, kEmergencyDeceleration);
    return demand;
  }
  if (!held_) return demand;
  demand.steering_angle =
      std::clamp(held_->steering_angle, -vehicle_.max_steering_angle, vehicle_.max_steering_angle);
  if (held_->steering_angle_velocity != 0)
    demand.steering_rate_limit =
        std::min(std::abs(held_->steering_angle_velocity), vehicle_.max_steering_rate);
  demand.acceleration = accelerationFor(*held_, state.speed, dt);
  // A target of standing still keeps the gear, unless the command names one that does not drive.
  const bool stands = held_->mode == ControlInput::Mode::Speed && held_->speed == 0;
  if (!stands || !drives(held_->gear)) demand.gear = held_->gear;
  return demand;
}

double ControlGate::accelerationFor(const ControlInput& command, double speed, double dt) const {
  if (command.mode == ControlInput::Mode::Speed) {
    const double asked = drives(command.gear) ? command.speed : 0.0;
    const double target = std::clamp(asked, -vehicle_.max_reverse_speed, vehicle_.max_speed);
    return accelerationTowards(target, std::abs(command.acceleration), speed, dt);
  }
  if (command.gear == Gear::Park) return accelerationTowards(0, 0, speed, dt);
  const bool is_braking = command.acceleration * speed < 0;
  if (command.gear == Gear::Neutral && !is_braking) return 0;
  const double limit = is_braking ? vehicle_.max_deceleration : accelerationLimit(vehicle_, speed);
  return std::clamp(command.acceleration, -limit, limit);
}

double ControlGate::accelerationTowards(double target_speed, double limit, double speed,
                                        double dt) const {
  // At once when the drive follows at once. With delay and lag T a gain of 1 / (4 T) gets there
  // without overshooting: T s^2 + s + 1 / (4 T) has a double root.
  const auto& actuator = vehicle_.actuator;
  const double following = actuator.acceleration_delay + actuator.acceleration_lag;
  const double wanted = (target_speed - speed) / std::max(dt, 4 * following);
  const bool is_braking = wanted * speed < 0;
  double most = is_braking ? vehicle_.max_deceleration : accelerationLimit(vehicle_, speed);
  if (limit > 0) most = std::min(most, limit);
  return std::clamp(wanted, -most, most);
}

}  // namespace gs_sim
