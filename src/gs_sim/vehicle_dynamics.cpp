// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/vehicle_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "gs_sim/dynamic_bicycle.hpp"
#include "gs_sim/kinematic_bicycle.hpp"

namespace gs_sim {
namespace {

constexpr double kTwistTolerance = 1e-6;  // m/s, rad/s: less is rounding

}  // namespace

std::unique_ptr<VehicleDynamicsInterface> createVehicleDynamics(const VehicleParameters& vehicle) {
  switch (vehicle.dynamics_model) {
    case DynamicsModel::DynamicBicycle: return createDynamicBicycle(vehicle);
    case DynamicsModel::KinematicBicycle: break;
  }
  return createKinematicBicycle(vehicle);
}

Motion heldMotion(const VehicleParameters& vehicle, double speed, const EgoTwist& wanted) {
  Motion motion;
  motion.twist.vx = speed;
  // A car that stands turns about nothing.
  if (speed != 0)
    motion.steering_angle = std::clamp(std::atan(vehicle.wheelbase * wanted.wz / speed),
                                       -vehicle.max_steering_angle, vehicle.max_steering_angle);
  motion.twist.wz = speed * std::tan(motion.steering_angle) / vehicle.wheelbase;
  if (vehicle.dynamics_model == DynamicsModel::DynamicBicycle && speed > kKinematicBelow) {
    motion.twist.vy = wanted.vy;
    motion.twist.wz = wanted.wz;
  }
  const auto compare = [&motion](const char* name, double held, double asked) {
    if (std::abs(held - asked) > kTwistTolerance) motion.not_held.emplace_back(name);
  };
  const EgoTwist& held = motion.twist;
  compare("vx", held.vx, wanted.vx);
  compare("vy", held.vy, wanted.vy);
  compare("vz", held.vz, wanted.vz);
  compare("wx", held.wx, wanted.wx);
  compare("wy", held.wy, wanted.wy);
  compare("wz", held.wz, wanted.wz);
  return motion;
}

double accelerationLimit(const VehicleParameters& vehicle, double speed) {
  if (!vehicle.power_limited_above || std::abs(speed) <= *vehicle.power_limited_above)
    return vehicle.max_acceleration;
  return vehicle.max_acceleration * *vehicle.power_limited_above / std::abs(speed);
}

std::array<double, 4> wheelSpeeds(const VehicleParameters& vehicle, const EgoState& state) {
  const double turn = state.twist.wz * vehicle.track_width / 2;
  const double left = state.twist.vx - turn, right = state.twist.vx + turn;
  const double across = state.twist.vy + vehicle.wheelbase * state.twist.wz;
  const double c = std::cos(state.steering_angle), s = std::sin(state.steering_angle);
  std::array<double, 4> speeds = {left * c + across * s, right * c + across * s, left, right};
  for (double& speed : speeds) speed /= vehicle.wheel_radius;
  return speeds;
}

}  // namespace gs_sim
