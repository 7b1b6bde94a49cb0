// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/send_lane.hpp"

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

#include <sched.h>

namespace gs_ros2 {

SendLane::SendLane(int niceness)
    : thread_([this, niceness] {
        // On Linux a thread has a niceness and a policy of its own; where they cannot be set
        // nothing is lost. A batch thread does not push aside whoever wakes it, which is the step.
        const int own = static_cast<int>(gettid());
        if (niceness != 0) {
          const sched_param no_priority{};
          sched_setscheduler(own, SCHED_BATCH, &no_priority);
          setpriority(PRIO_PROCESS, static_cast<id_t>(own),
                      getpriority(PRIO_PROCESS, static_cast<id_t>(own)) + niceness);
        }
        work();
      }) {}

SendLane::~SendLane() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool SendLane::post(const void* owner, size_t bound, std::function<void()> task) {
  Task dropped{};  // destroyed after the lock: it may hold megabytes
  {
    const std::lock_guard lock(mutex_);
    const auto is_theirs = [owner](const Task& waiting) { return waiting.owner == owner; };
    const auto count = std::count_if(tasks_.begin(), tasks_.end(), is_theirs);
    if (static_cast<size_t>(count) >= bound) {
      const auto oldest = std::find_if(tasks_.begin(), tasks_.end(), is_theirs);
      dropped = std::move(*oldest);
      tasks_.erase(oldest);
    }
    tasks_.push_back({owner, std::move(task)});
  }
  changed_.notify_all();
  return dropped.run == nullptr;
}

void SendLane::forget(const void* owner) {
  std::unique_lock lock(mutex_);
  std::erase_if(tasks_, [owner](const Task& waiting) { return waiting.owner == owner; });
  changed_.wait(lock, [&] { return running_ != owner; });
}

void SendLane::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || !tasks_.empty(); });
    if (is_stopping_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    running_ = task.owner;
    lock.unlock();
    task.run();
    task.run = nullptr;  // what it holds goes before its owner may
    lock.lock();
    running_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace gs_ros2
