// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/driving_seat.hpp"

namespace gs_sim {

std::optional<ControlInput> DrivingSeat::commandAt(gs::Stamp stamp, const EgoState& ego,
                                                   const std::optional<WireCommand>& wire) {
  if (wire) {
    who_ = wire->from;
    heard_ = stamp;
    return wire->command;
  }
  const bool is_wire = who_ == WhoDrives::Ros2 || who_ == WhoDrives::Browser;
  if (is_wire && stamp >= heard_ && stamp - heard_ < kSilence) return std::nullopt;
  if (is_wire) {
    leave();
    if (script_ != nullptr) script_->restart();
  }
  return script_ != nullptr ? script_->commandAt(stamp, ego) : std::nullopt;
}

void DrivingSeat::restart() {
  leave();
  if (script_ != nullptr) script_->restart();
}

}  // namespace gs_sim
