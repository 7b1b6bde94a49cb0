// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gs_sim/driver.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// What arrived over a wire for the next step.
struct WireCommand {
  std::string from;  // the wire's name: "ros2"
  ControlInput command;
};

// What the wires said before a step.
struct Heard {
  // A wire waited for its command and gave up, since the run is to pause or to end: no step is
  // made, and the wires are asked again should the run go on.
  bool was_interrupted = false;
  std::optional<WireCommand> command;
};

// Who drives when several could. A command over a wire takes the wheel at once; when no more have
// come for kSilence of simulated time, the script drives on from where the ego is then. Time is
// that of the simulation, so the same commands at the same steps give the same run.
class DrivingSeat {
 public:
  static constexpr gs::Duration kSilence{1'000'000'000};

  static constexpr const char* kNobody = "nobody";
  static constexpr const char* kScript = "script";

  // `script` may be null: nobody drives but the wires. An endless one begins again where it ends.
  explicit DrivingSeat(Driver* script, bool is_endless = false);

  // The command for the step at `stamp`; `wire` is what arrived for it.
  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState& ego,
                                        const std::optional<WireCommand>& wire);
  // kNobody, kScript or the name of a wire.
  std::string whoDrives() const;
  // Of the script: whether its path is driven to the end, and how long it lasts.
  bool hasArrived() const;
  std::optional<gs::Duration> duration() const;
  // The ego was put elsewhere, or time was set back: whoever drove from outside begins anew.
  void restart();

 private:
  Driver* const script_;
  const bool is_endless_;
  std::optional<std::string> wire_;  // that has the wheel
  gs::Stamp heard_;                  // when it last said something
};

}  // namespace gs_sim
