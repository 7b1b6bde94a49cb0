// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/vehicle_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "gs_sim/dynamic_bicycle.hpp"
#include "gs_sim/kinematic_bicycle.hpp"

namespace gs_sim {

std::unique_ptr<VehicleDynamicsInterface> createVehicleDynamics(const VehicleParameters& vehicle) {
  switch (vehicle.dynamics_model) {
    case DynamicsModel::DynamicBicycle: return createDynamicBicycle(vehicle);
    case DynamicsModel::KinematicBicycle: break;
  }
  return createKinematicBicycle(vehicle);
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
