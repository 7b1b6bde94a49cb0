// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gs_sim/types.hpp"

namespace gs_sim {

// Keeps simulated and real time in step, and measures how well. The only part of the simulator that
// looks at a wall clock.
class StepPacer {
 public:
  using Clock = std::chrono::steady_clock;

  // Factor 0: never waits.
  StepPacer(double real_time_factor, gs::Duration dt, double max_step_time);

  // From the next step on.
  void setRealTimeFactor(double factor);

  void beginStep(Clock::time_point now = Clock::now());
  // Measures the step; says how long to wait before the next. Some tenths of a second are caught
  // up, more is lost.
  std::chrono::nanoseconds endStep(Clock::time_point now = Clock::now());
  // endStep() and the waiting itself.
  void endStepAndSleep();

  // For /sim/status: zero with factor 0, where the clock must not matter.
  StepTiming timing() const { return timing_; }
  // What there is to say of the step that ended last, one text per kind: it took longer than its
  // time, or so many did that the run has fallen behind for good. Never with factor 0.
  struct Complaint {
    const char* kind;
    std::string text;
  };
  std::vector<Complaint> complaints() const;
  // Of a sensor that fired in that step; empty when it did so within its period.
  std::string complaintAbout(const std::string& component, const std::string& id,
                             double rate_hz) const;
  int64_t missedDeadlines() const { return missed_deadlines_; }
  double longestStep() const { return longest_step_; }  // s

 private:
  double factor_;
  const gs::Duration dt_;
  std::chrono::nanoseconds period_;  // real time between steps; 0 with factor 0
  const double max_step_time_;
  Clock::time_point begin_, due_;
  bool has_begun_ = false;
  Clock::time_point last_begin_;
  double mean_period_ = 0;
  StepTiming timing_;
  bool has_fallen_behind_ = false;
  int64_t missed_deadlines_ = 0;
  double longest_step_ = 0;
};

}  // namespace gs_sim
