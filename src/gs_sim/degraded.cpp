// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/degraded.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gs_sim {
namespace {

constexpr size_t kMaxMessages = 20;

constexpr std::array kDegradedTable = {
    DegradedRow{Degradation::SensorFailed, true, "as SensorDescription::instead says"},
    DegradedRow{Degradation::GroundUnknown, false, "the last known height and slope are kept"},
    DegradedRow{Degradation::ControlRefused, false, "the command before stays in force"},
    DegradedRow{Degradation::ControlTimeout, false, "the vehicle brakes with 3.0 m/s^2"},
    DegradedRow{Degradation::StateNotFinite, true, "the vehicle stands where it last was"},
};

}  // namespace

const DegradedRow& degradedRow(Degradation what) {
  return *std::find_if(kDegradedTable.begin(), kDegradedTable.end(),
                       [&](const DegradedRow& row) { return row.what == what; });
}

bool StatusMessages::isNew(const std::string& kind) {
  if (kinds_.size() >= kMaxMessages) return false;
  if (std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end()) return false;
  kinds_.push_back(kind);
  return true;
}

void StatusMessages::add(Degradation what, const std::string& kind, std::string text) {
  if (!isNew(kind)) return;
  (degradedRow(what).is_error ? errors_ : warnings_).push_back(std::move(text));
}

void StatusMessages::warn(const std::string& kind, std::string text) {
  if (isNew(kind)) warnings_.push_back(std::move(text));
}

void StatusMessages::moveInto(SimulationStatus& status) {
  status.warnings = std::exchange(warnings_, {});
  status.errors = std::exchange(errors_, {});
  kinds_.clear();
}

void StatusMessages::copyInto(SimulationStatus& status) const {
  status.warnings = warnings_;
  status.errors = errors_;
}

}  // namespace gs_sim
