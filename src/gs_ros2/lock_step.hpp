// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace gs_ros2 {

// "ros2.lock_step" and "ros2.lock_step_timeout_sec"; both may be changed while the bridge runs.
struct LockStep {
  bool is_on = false;
  double timeout_sec = 10;  // real time that a step waits for a controller that is there
};

// Whoever could answer a step, as the reader of commands sees them.
struct Controllers {
  int present = 0;        // writers that are connected
  uint64_t ever = 0;      // writers that ever were
  uint64_t commands = 0;  // messages that arrived, answers or not
};

// How long a step waits for its command, and when it is shown again. It has no clock and no wire:
// the caller tells the time and who is there.
//
// Nobody there: it waits without limit. Somebody who has just come is shown the step, and again
// until the first message arrives: the two directions of a connection are ready at different
// moments, and what was said in between is lost. The first step of all, and the first after
// restart(), is never made without a command; later ones are, after the timeout.
class LockStepWait {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Action {
    Wait,
    ShowAgain,
    Complain,  // the first command is overdue; said once
    GiveUp,
  };

  // The past is forgotten: what comes is a first step again.
  void restart() { is_first_ = true; }
  // A step has been shown.
  void begin(TimePoint now, const Controllers& who);
  Action next(TimePoint now, const Controllers& who, double timeout_sec);
  // When next() should be asked again, unless something happens before.
  TimePoint wakeAt(TimePoint now, double timeout_sec) const;
  void answered() { is_first_ = false; }

 private:
  void meet(TimePoint now, const Controllers& who);

  bool is_first_ = true;
  bool has_complained_ = false;
  TimePoint begun_, next_show_;
  std::chrono::milliseconds pause_{};
  uint64_t met_ = 0;              // `ever` of those who were shown the step
  uint64_t commands_before_ = 0;  // when the last of them came
};

}  // namespace gs_ros2
