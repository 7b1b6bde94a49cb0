// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace gs_ros2 {

// A thread that does what others hand it, in their order. Each owner has a bound of its own, so
// that one who hands over too much loses its own oldest work and nobody else's.
class SendLane {
 public:
  // `niceness` is added to that of the program; with one, the thread waits until whoever woke it
  // has done its turn.
  explicit SendLane(int niceness = 0);
  ~SendLane();  // what waits is dropped, what runs is finished
  SendLane(const SendLane&) = delete;
  SendLane& operator=(const SendLane&) = delete;

  // False when the owner's oldest task had to go to keep it within `bound`.
  bool post(const void* owner, size_t bound, std::function<void()> task);
  // Drops the owner's tasks and returns when none of them runs any more. Not from a task.
  void forget(const void* owner);

 private:
  struct Task {
    const void* owner;
    std::function<void()> run;
  };

  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  const void* running_ = nullptr;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace gs_ros2
