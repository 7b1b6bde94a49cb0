// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_sim/types.hpp"

namespace gs_sim {

// Simulated time: a step count and nothing else that moves, so that the stamp of a step is exact
// after any number of them.
class SimClock {
 public:
  SimClock(gs::Stamp start, gs::Duration dt) : start_(start), dt_(dt) {}

  void advance() { ++step_; }
  void restart() { step_ = 0; }
  StepInfo info(bool is_paused) const { return {step_, start_ + dt_ * step_, dt_, is_paused}; }
  gs::Stamp start() const { return start_; }

 private:
  gs::Stamp start_;
  gs::Duration dt_;
  int64_t step_ = 0;
};

}  // namespace gs_sim
