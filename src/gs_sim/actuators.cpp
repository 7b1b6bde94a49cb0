// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/actuators.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gs_sim {
namespace {

size_t stepsOf(double delay, gs::Duration dt) {
  return static_cast<size_t>(std::llround(delay / gs::toSeconds(dt)));
}

// Puts `demand` into the ring and takes out what was put in one round ago.
DriveDemand delayed(std::vector<DriveDemand>& ring, uint64_t position, const DriveDemand& demand) {
  if (ring.empty()) return demand;
  return std::exchange(ring[position % ring.size()], demand);
}

}  // namespace

Actuators::Actuators(const VehicleParameters& vehicle, gs::Duration dt)
    : vehicle_(vehicle),
      dt_(gs::toSeconds(dt)),
      steering_line_(stepsOf(vehicle.actuator.steering_delay, dt)),
      drive_line_(stepsOf(vehicle.actuator.acceleration_delay, dt)) {}

void Actuators::restart() {
  is_empty_ = true;
  next_ = 0;
  lagged_acceleration_ = 0;
}

Actuators::Result Actuators::apply(const DriveDemand& demand, const EgoState& state) {
  if (is_empty_) {
    // Before the first command arrives at the wheels, they stay as they are.
    const DriveDemand as_it_is{state.steering_angle, vehicle_.max_steering_rate, 0, state.gear};
    std::fill(steering_line_.begin(), steering_line_.end(), as_it_is);
    std::fill(drive_line_.begin(), drive_line_.end(), as_it_is);
    is_empty_ = false;
  }
  const DriveDemand steer = delayed(steering_line_, next_, demand);
  const DriveDemand drive = delayed(drive_line_, next_, demand);
  ++next_;

  Result result;
  result.gear = drive.gear;
  result.actuation.steering_rate = steeringRate(steer, state.steering_angle);
  double mean = drive.acceleration;
  const double lag = vehicle_.actuator.acceleration_lag;
  if (lag > 0) {
    // The exact answer to a command held for the step, and its mean, which is what moves the car.
    const double kept = std::exp(-dt_ / lag);
    const double gap = lagged_acceleration_ - drive.acceleration;
    mean = drive.acceleration + gap * (1 - kept) * lag / dt_;
    lagged_acceleration_ = drive.acceleration + gap * kept;
  }
  result.actuation.acceleration = accelerationWithin(mean, drive.gear, state.speed);
  // At a limit nothing is left to decay later.
  if (lag > 0 && result.actuation.acceleration != mean) lagged_acceleration_ = 0;
  return result;
}

double Actuators::steeringRate(const DriveDemand& demand, double angle) const {
  const double lag = vehicle_.actuator.steering_lag;
  const double share = lag > 0 ? 1 - std::exp(-dt_ / lag) : 1.0;
  const double wanted = (demand.steering_angle - angle) * share / dt_;
  return std::clamp(wanted, -demand.steering_rate_limit, demand.steering_rate_limit);
}

double Actuators::accelerationWithin(double acceleration, Gear gear, double speed) const {
  double lowest = gear == Gear::Reverse ? -vehicle_.max_reverse_speed : 0.0;
  double highest = gear == Gear::Drive ? vehicle_.max_speed : 0.0;
  // Rolling against the gear only slows down, and comes to a halt before it turns round.
  if (speed > 0) {
    lowest = 0;
    highest = std::max(highest, speed);
  } else if (speed < 0) {
    highest = 0;
    lowest = std::min(lowest, speed);
  }
  const double next = speed + acceleration * dt_;
  if (next >= lowest && next <= highest) return acceleration;  // to the last bit
  return (std::clamp(next, lowest, highest) - speed) / dt_;
}

}  // namespace gs_sim
