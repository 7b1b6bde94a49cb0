// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gs_sim/config.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// What steering and drive really do during one step; constant over the step.
struct Actuation {
  double steering_rate = 0;  // rad/s
  double acceleration = 0;   // m/s^2 along base_link x
};

// next = f(state, actuation, dt): no state of its own. Pose in the plane, twist and steering are
// advanced; height, roll and pitch are kept, they belong to the ground. The way over ground is
// shortened by the pitch of the state.
class VehicleDynamicsInterface {
 public:
  virtual ~VehicleDynamicsInterface() = default;
  virtual EgoState advance(const EgoState& state, const Actuation& actuation, double dt) const = 0;
};

std::unique_ptr<VehicleDynamicsInterface> createVehicleDynamics(const VehicleParameters& vehicle);

// A twist that was asked for, as the model holds it.
struct Motion {
  EgoTwist twist;
  double steering_angle = 0;          // of the curve
  std::vector<std::string> not_held;  // "vy"
};
// Beside its speed every model holds a yaw rate, by its front wheels; above walking pace the
// dynamic one slides sideways, too. The rest follows the ground.
Motion heldMotion(const VehicleParameters& vehicle, double speed, const EgoTwist& wanted);

// Engine power: max_acceleration falls with speed beyond power_limited_above.
double accelerationLimit(const VehicleParameters& vehicle, double speed);

// Of the four wheels, rad/s: what they roll along their own direction, from the motion of
// base_link.
std::array<double, 4> wheelSpeeds(const VehicleParameters& vehicle, const EgoState& state);

}  // namespace gs_sim
