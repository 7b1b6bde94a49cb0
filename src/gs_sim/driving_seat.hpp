// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs_sim/driver.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

enum class WhoDrives { Nobody, Script, Ros2, Browser };

// Who drives when several could. A command over a wire takes the wheel at once; when no more have
// come for kSilence of simulated time, the script drives on from where the ego is then. Time is
// that of the simulation, so the same commands at the same steps give the same run.
class DrivingSeat {
 public:
  static constexpr gs::Duration kSilence{1'000'000'000};

  struct WireCommand {
    WhoDrives from;
    ControlInput command;
  };

  // `script` may be null: nobody drives but the wires.
  explicit DrivingSeat(Driver* script) : script_(script) { leave(); }

  // The command for the step at `stamp`; `wire` is what arrived for it.
  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState& ego,
                                        const std::optional<WireCommand>& wire);
  WhoDrives whoDrives() const { return who_; }
  // The ego was put elsewhere, or time was set back: whoever drove from outside begins anew.
  void restart();

 private:
  void leave() { who_ = script_ != nullptr ? WhoDrives::Script : WhoDrives::Nobody; }

  Driver* script_;
  WhoDrives who_ = WhoDrives::Nobody;
  gs::Stamp heard_;
};

}  // namespace gs_sim
