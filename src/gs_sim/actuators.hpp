// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs_sim/control_gate.hpp"
#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {

// Turns what is asked into what happens: dead time, then a lag of first order, then the limits no
// drive can pass (steering stop and rate, top speed, standstill before the direction changes).
class Actuators {
 public:
  Actuators(const VehicleParameters& vehicle, gs::Duration dt);

  struct Result {
    Actuation actuation;
    Gear gear = Gear::Drive;
  };
  Result apply(const DriveDemand& demand, const EgoState& state);

  void restart();  // nothing on its way, no acceleration

  // For the state hash: what is on its way.
  template <typename Visit>
  void visitState(const Visit& visit) const {
    visit(lagged_acceleration_);
    for (const DriveDemand& demand : steering_line_) visit(demand.steering_angle);
    for (const DriveDemand& demand : drive_line_) visit(demand.acceleration);
    visit(static_cast<double>(next_));
  }

 private:
  double steeringRate(const DriveDemand& demand, double angle) const;
  double accelerationWithin(double acceleration, Gear gear, double speed) const;

  const VehicleParameters vehicle_;
  const double dt_;
  // Rings of what was asked, as long as the delay; empty: no delay.
  std::vector<DriveDemand> steering_line_, drive_line_;
  uint64_t next_ = 0;
  bool is_empty_ = true;
  double lagged_acceleration_ = 0;
};

}  // namespace gs_sim
