// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace gs_sim {

// Says again and again that a period of real time is over. What was missed is not made up for.
class Ticker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Ticker(Clock::duration period) : period_(period) {}

  // True once per period, and at first.
  bool isDue(Clock::time_point now) {
    if (now < next_) return false;
    const bool is_late = now >= next_ + period_;
    next_ = (is_late ? now : next_) + period_;
    return true;
  }
  Clock::time_point next() const { return next_; }

 private:
  const Clock::duration period_;
  Clock::time_point next_{};
};

}  // namespace gs_sim
