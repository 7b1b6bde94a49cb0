// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {

// Kinematic single-track model about the rear axle (CommonRoad's "KS"):
//   x' = v cos(yaw), y' = v sin(yaw), steering' = u1, v' = u2, yaw' = v tan(steering) / wheelbase
using KinematicState = std::array<double, 5>;  // x, y, steering, v, yaw
KinematicState kinematicDerivative(const KinematicState& state, const Actuation& actuation,
                                   double wheelbase);

std::unique_ptr<VehicleDynamicsInterface> createKinematicBicycle(const VehicleParameters& vehicle);

}  // namespace gs_sim
