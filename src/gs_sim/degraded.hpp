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

// Messages for the next status, and for the log at once. Of each kind one per episode, which is
// over when a second of simulated time has passed without another; and no more than a screenful,
// however many commands arrive.
class StatusMessages {
 public:
  // It is this time from now on. Time that was set back ends every episode.
  void setTime(gs::Stamp now);
  void add(Degradation what, const std::string& kind, std::string text);
  void warn(const std::string& kind, std::string text);
  void moveInto(SimulationStatus& status);
  void copyInto(SimulationStatus& status) const;

 private:
  struct Episode {
    std::string kind;
    gs::Stamp last;
  };
  bool begins(const std::string& kind);

  gs::Stamp now_;
  std::vector<Episode> episodes_;
  std::vector<std::string> warnings_, errors_;
};

}  // namespace gs_sim
