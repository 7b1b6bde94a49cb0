// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gs_sim/config.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

constexpr double kEmergencyDeceleration = 3.0;  // m/s^2, of the specification

// What is asked of steering and drive during one step, within the limits of the vehicle.
struct DriveDemand {
  double steering_angle = 0;
  double steering_rate_limit = 0;
  double acceleration = 0;
  Gear gear = Gear::Drive;  // Park, Neutral: only braking
};

// A command that was changed or refused, and why: one sentence for the log and /sim/status.
struct GateVerdict {
  bool is_accepted = true;
  std::string kind;     // the same for the same mistake
  std::string warning;  // empty: nothing to say
};

// Decides what becomes of commands: holds the last valid one (zero-order hold), clamps it to what
// the vehicle can do, and brakes to a stop when none comes for control_timeout_sec. Before the
// first command the vehicle keeps its speed and steering. Commands are rounded to float32, as
// messages carry them, so that a run replays from its recording to the same bytes.
class ControlGate {
 public:
  ControlGate(const VehicleParameters& vehicle, double timeout_sec, gs::Stamp start);

  // Refused: not finite, older than the timeout, older than the one before. A stamp from the future
  // counts as now: whoever does not use simulated time may drive all the same.
  GateVerdict offer(const ControlInput& command, const StepInfo& info);

  DriveDemand demandAt(const StepInfo& info, const EgoState& state) const;
  bool isTimedOut(const StepInfo& info) const;

  // Forgets every command; waits for the next from `now` on.
  void restart(gs::Stamp now);

  const std::optional<ControlInput>& held() const { return held_; }
  gs::Stamp heardAt() const { return heard_at_; }

 private:
  double accelerationFor(const ControlInput& command, double speed, double dt) const;
  double accelerationTowards(double target_speed, double limit, double speed, double dt) const;

  const VehicleParameters vehicle_;
  const gs::Duration timeout_;
  std::optional<ControlInput> held_;
  gs::Stamp heard_at_;
};

}  // namespace gs_sim
