// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/degraded.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gs_sim {
namespace {

constexpr size_t kMaxMessages = 20;

constexpr std::array kDegradedTable = {
    DegradedRow{Degradation::CameraFailed, true, "the picture before is published again"},
    DegradedRow{Degradation::LidarFailed, true, "an empty cloud is published"},
    DegradedRow{Degradation::GroundUnknown, false, "the last known height and slope are kept"},
    DegradedRow{Degradation::ControlRefused, false, "the command before stays in force"},
    DegradedRow{Degradation::ControlTimeout, false, "the vehicle brakes with 3.0 m/s^2"},
    DegradedRow{Degradation::StateNotFinite, true, "the vehicle stands where it last was"},
};

std::string problemText(Degradation what, std::string_view component, const std::string& id,
                        const std::string& problem) {
  return "[" + std::string(component) + "] " + id + ": " + problem + ": " +
         std::string(degradedRow(what).instead);
}

}  // namespace

const DegradedRow& degradedRow(Degradation what) {
  return *std::find_if(kDegradedTable.begin(), kDegradedTable.end(),
                       [&](const DegradedRow& row) { return row.what == what; });
}

std::vector<CameraFrame> CameraFallback::settle(std::vector<SensorOutcome<CameraFrame>> outcomes,
                                                std::span<const std::string> ids, gs::Stamp stamp,
                                                std::vector<std::string>& problems) {
  std::vector<CameraFrame> frames;
  outcomes.resize(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (outcomes[i].value) {
      last_good_[ids[i]] = *outcomes[i].value;
      frames.push_back(std::move(*outcomes[i].value));
      continue;
    }
    problems.push_back(
        problemText(Degradation::CameraFailed, "CameraRenderer", ids[i], outcomes[i].problem));
    const auto before = last_good_.find(ids[i]);
    if (before == last_good_.end()) continue;  // there is no picture to repeat yet
    frames.push_back(before->second);
    frames.back().stamp = stamp;
    frames.back().is_repeated = true;
  }
  return frames;
}

std::vector<LidarScan> settleScans(std::vector<SensorOutcome<LidarScan>> outcomes,
                                   std::span<const std::string> ids,
                                   const std::map<std::string, std::string>& frame_ids,
                                   gs::Stamp stamp, std::vector<std::string>& problems) {
  std::vector<LidarScan> scans;
  outcomes.resize(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (outcomes[i].value) {
      scans.push_back(std::move(*outcomes[i].value));
      continue;
    }
    problems.push_back(
        problemText(Degradation::LidarFailed, "LiDARGenerator", ids[i], outcomes[i].problem));
    const auto frame = frame_ids.find(ids[i]);
    scans.push_back({.lidar_id = ids[i],
                     .frame_id = frame == frame_ids.end() ? "" : frame->second,
                     .stamp = stamp});
  }
  return scans;
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
