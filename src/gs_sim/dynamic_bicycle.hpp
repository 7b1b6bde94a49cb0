// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {

// Dynamic single-track model about the centre of gravity with linear tires (CommonRoad's "ST"):
//   slip of the axles   alpha_f = steering - beta - lf yaw' / v,  alpha_r = -beta + lr yaw' / v
//   side forces         F = C alpha Fz / Fz_at_rest, at most friction * Fz
//   yaw'' = (lf Ff - lr Fr) / I,   beta' = (Ff + Fr) / (m v) - yaw'
// with Fz shifted between the axles by the acceleration at cg_height. Valid for v > 0 only.
using DynamicState = std::array<double, 7>;  // x, y, steering, v, yaw, yaw rate, slip angle beta
DynamicState dynamicDerivative(const DynamicState& state, const Actuation& actuation,
                               const VehicleParameters& vehicle);

// The model above beyond kDynamicAbove, the kinematic one below kKinematicBelow and in reverse;
// between, a mixture of their derivatives that depends on the speed alone, so that the path does
// not depend on the step. At walking pace tires do not slip, and the equations divide by the speed.
constexpr double kKinematicBelow = 1.0, kDynamicAbove = 1.5;  // m/s

std::unique_ptr<VehicleDynamicsInterface> createDynamicBicycle(const VehicleParameters& vehicle);

}  // namespace gs_sim
