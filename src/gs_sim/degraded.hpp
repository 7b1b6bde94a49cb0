// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gs_sim/types.hpp"

namespace gs_sim {

// What can go wrong while running. Nothing of it ends the run; kDegradedTable says what is done.
enum class Degradation {
  SensorFailed,
  GroundUnknown,
  ControlRefused,
  ControlTimeout,
  StateNotFinite,
};
struct DegradedRow {
  Degradation what;
  bool is_error;             // listed in /sim/status.errors, otherwise in warnings
  std::string_view instead;  // what is done; sensors say it themselves
};
const DegradedRow& degradedRow(Degradation what);

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
