// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/driving_seat.hpp"

namespace gs_sim {

DrivingSeat::DrivingSeat(Driver* script, bool is_endless)
    : script_(script), is_endless_(is_endless) {}

std::optional<ControlInput> DrivingSeat::commandAt(gs::Stamp stamp, const EgoState& ego,
                                                   const std::optional<WireCommand>& wire) {
  if (wire) {
    wire_ = wire->from;
    heard_ = stamp;
    return wire->command;
  }
  if (wire_ && stamp >= heard_ && stamp - heard_ < kSilence) return std::nullopt;
  if (wire_) restart();
  return script_ != nullptr ? script_->commandAt(stamp, ego) : std::nullopt;
}

std::string DrivingSeat::whoDrives() const {
  return wire_ ? *wire_ : script_ != nullptr ? kScript : kNobody;
}

bool DrivingSeat::hasArrived() const {
  return script_ != nullptr && !is_endless_ && script_->hasArrived();
}

std::optional<gs::Duration> DrivingSeat::duration() const {
  return script_ != nullptr ? script_->duration() : std::nullopt;
}

void DrivingSeat::restart() {
  wire_.reset();
  if (script_ != nullptr) script_->restart();
}

}  // namespace gs_sim
