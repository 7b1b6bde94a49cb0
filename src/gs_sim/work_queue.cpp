// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/work_queue.hpp"

namespace gs_sim {

bool WorkQueue::post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMaxWaiting) {
      ++dropped_;
      return false;
    }
    waiting_.push_back(std::move(work));
  }
  changed_.notify_all();
  return true;
}

void WorkQueue::wake() {
  {
    const std::lock_guard lock(mutex_);
    is_awake_ = true;
  }
  changed_.notify_all();
}

size_t WorkQueue::runWaiting() {
  std::deque<std::function<void()>> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(waiting_);
  }
  for (const auto& work : now) work();
  return now.size();
}

bool WorkQueue::waitUntil(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const bool woken =
      changed_.wait_until(lock, deadline, [this] { return is_awake_ || !waiting_.empty(); });
  is_awake_ = false;
  return woken;
}

uint64_t WorkQueue::droppedCount() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace gs_sim
