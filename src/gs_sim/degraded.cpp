// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/degraded.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gs/core/log.hpp"

namespace gs_sim {
namespace {

constexpr size_t kMaxMessages = 20;
constexpr gs::Duration kCalm{1'000'000'000};

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

void StatusMessages::setTime(gs::Stamp now) {
  if (now < now_) episodes_.clear();
  now_ = now;
  std::erase_if(episodes_, [&](const Episode& episode) { return now - episode.last > kCalm; });
}

bool StatusMessages::begins(const std::string& kind) {
  const auto known = std::find_if(episodes_.begin(), episodes_.end(),
                                  [&](const Episode& episode) { return episode.kind == kind; });
  if (known != episodes_.end()) {
    known->last = now_;
    return false;
  }
  if (episodes_.size() >= kMaxMessages) return false;
  episodes_.push_back({kind, now_});
  return true;
}

void StatusMessages::add(Degradation what, const std::string& kind, std::string text) {
  if (!degradedRow(what).is_error) return warn(kind, std::move(text));
  if (!begins(kind)) return;
  gs::logger("simulator").error(text);
  errors_.push_back(std::move(text));
}

void StatusMessages::warn(const std::string& kind, std::string text) {
  if (!begins(kind)) return;
  gs::logger("simulator").warn(text);
  warnings_.push_back(std::move(text));
}

void StatusMessages::moveInto(SimulationStatus& status) {
  status.warnings = std::exchange(warnings_, {});
  status.errors = std::exchange(errors_, {});
}

void StatusMessages::copyInto(SimulationStatus& status) const {
  status.warnings = warnings_;
  status.errors = errors_;
}

}  // namespace gs_sim
