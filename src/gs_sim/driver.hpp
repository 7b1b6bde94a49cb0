// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "gs_sim/config.hpp"
#include "gs_sim/drive_path.hpp"
#include "gs_sim/drive_script.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// Whoever knows the next command by itself: a script, a path, a recorded drive. Those outside, who
// send theirs over a wire, are none; driving_seat.hpp decides between them.
class Driver {
 public:
  virtual ~Driver() = default;
  // The command for the step at `stamp`, seeing the ego as the step before left it. Called once for
  // every step, in order; nothing: no command is sent.
  virtual std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState& ego) = 0;
  virtual bool hasArrived() const { return false; }
  // The ego is elsewhere than the last command left it: it was put there, or somebody else drove.
  virtual void restart() {}
  // How long it drives, where that is known beforehand.
  virtual std::optional<gs::Duration> duration() const { return std::nullopt; }
};

// Commands at their times, sent again at every step. `start` is the time of the first step.
std::unique_ptr<Driver> createTimedDriver(std::vector<DriveScript::Command> commands,
                                          gs::Stamp start);

// Pure pursuit (Coulter 1992) from the rear axle; slows down for curves, obeys speed
// limits where they begin, and stops at the end.
std::unique_ptr<Driver> createPathFollower(DrivePath path, const DriveScript::Follow& options,
                                           const VehicleParameters& vehicle);

// The commands of a recorded drive, each at its own time after the beginning of the log: all that
// one of our own recordings holds, else those of /vehicle/control_cmd, else of the first topic with
// a type that can drive. Throws gs::Error when there is none.
std::unique_ptr<Driver> createReplayDriver(const std::filesystem::path& log,
                                           const VehicleParameters& vehicle, gs::Stamp start);

// Nobody: the vehicle keeps its speed until the timeout.
std::unique_ptr<Driver> createNobody();

}  // namespace gs_sim
