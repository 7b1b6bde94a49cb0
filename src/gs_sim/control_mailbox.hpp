// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "gs_sim/types.hpp"

namespace gs_sim {

// Commands that arrived, for the loop to take before its next step. However many arrive, two are
// kept: the last of all, and in lock-step the first that answers the step that was shown.
class ControlMailbox {
 public:
  void put(const ControlInput& control) {
    const std::lock_guard lock(mutex_);
    ++received_;
    waiting_ = control;
    if (!answer_ && isAnswer(control.stamp)) answer_ = control;
  }

  // The last that arrived.
  std::optional<ControlInput> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, std::nullopt);
  }

  // Call before the step of this stamp is shown to anybody: answers count from now on.
  void await(gs::Stamp stamp) {
    const std::lock_guard lock(mutex_);
    awaited_ = stamp;
    newest_ = newest_ ? std::max(*newest_, stamp) : stamp;
    answer_.reset();
  }

  bool hasAnswer() const {
    const std::lock_guard lock(mutex_);
    return answer_.has_value();
  }

  // What arrived besides was for this step too, and is dropped.
  std::optional<ControlInput> takeAnswer() {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    return std::exchange(answer_, std::nullopt);
  }

  // Nothing that was sent until now counts any more.
  void forget() {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    answer_.reset();
    awaited_.reset();
  }

  uint64_t receivedCount() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }

 private:
  // Its own stamp, or one that no step ever had: senders that do not use simulated time. The stamp
  // of another step says that the command was made for that one, before time was set back.
  bool isAnswer(gs::Stamp stamp) const {
    return awaited_ && (stamp == *awaited_ || stamp > *newest_);
  }

  mutable std::mutex mutex_;
  std::optional<ControlInput> waiting_, answer_;
  std::optional<gs::Stamp> awaited_, newest_;
  uint64_t received_ = 0;
};

}  // namespace gs_sim
