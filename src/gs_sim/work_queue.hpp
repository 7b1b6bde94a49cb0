// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace gs_sim {

// What peers ask for, kept until the thread that owns the simulation has time: between two steps.
// Bounded, so that a peer that floods us loses its own requests and we lose no memory.
class WorkQueue {
 public:
  static constexpr size_t kMaxWaiting = 256;

  // From any thread. False when the queue is full: the request is dropped.
  bool post(std::function<void()> work);
  // Wakes waitUntil() without work, for instance because a command has arrived.
  void wake();

  // Does what waits now, not what is posted meanwhile. Returns how much that was.
  size_t runWaiting();
  // Returns early when there is work or after wake(); true then.
  bool waitUntil(std::chrono::steady_clock::time_point deadline);

  uint64_t droppedCount() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_awake_ = false;
  uint64_t dropped_ = 0;
};

}  // namespace gs_sim
