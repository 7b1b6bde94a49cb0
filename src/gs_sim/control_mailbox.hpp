// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "gs_sim/types.hpp"

namespace gs_sim {

// The last command that arrived, for the loop to take before its next step. However many arrive,
// one is kept.
class ControlMailbox {
 public:
  void put(const ControlInput& control) {
    const std::lock_guard lock(mutex_);
    waiting_ = control;
  }

  std::optional<ControlInput> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, std::nullopt);
  }

  // Whether the command that waits was made for the step of this stamp or a later one.
  bool hasCommandFor(gs::Stamp stamp) const {
    const std::lock_guard lock(mutex_);
    return waiting_ && waiting_->stamp >= stamp;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<ControlInput> waiting_;
};

}  // namespace gs_sim
