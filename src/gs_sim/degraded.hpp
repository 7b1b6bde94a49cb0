// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gs_sim/sensors.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// What can go wrong while running. Nothing of it ends the run; kDegradedTable says what is done.
enum class Degradation {
  CameraFailed,
  LidarFailed,
  GroundUnknown,
  ControlRefused,
  ControlTimeout,
  StateNotFinite,
};
struct DegradedRow {
  Degradation what;
  bool is_error;  // listed in /sim/status.errors, otherwise in warnings
  std::string_view instead;
};
const DegradedRow& degradedRow(Degradation what);

// The pictures to publish: each camera's own, or its last good one again.
class CameraFallback {
 public:
  std::vector<CameraFrame> settle(std::vector<SensorOutcome<CameraFrame>> outcomes,
                                  std::span<const std::string> ids, gs::Stamp stamp,
                                  std::vector<std::string>& problems);

 private:
  std::map<std::string, CameraFrame> last_good_;
};

// The clouds to publish: each LiDAR's own, or an empty one.
std::vector<LidarScan> settleScans(std::vector<SensorOutcome<LidarScan>> outcomes,
                                   std::span<const std::string> ids,
                                   const std::map<std::string, std::string>& frame_ids,
                                   gs::Stamp stamp, std::vector<std::string>& problems);

// Collects messages for the next status: each kind once, and no more than a screenful, however many
// commands arrive.
class StatusMessages {
 public:
  void add(Degradation what, const std::string& kind, std::string text);
  void warn(const std::string& kind, std::string text);
  void moveInto(SimulationStatus& status);
  void copyInto(SimulationStatus& status) const;

 private:
  bool isNew(const std::string& kind);

  std::vector<std::string> kinds_, warnings_, errors_;
};

}  // namespace gs_sim
