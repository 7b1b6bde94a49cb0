// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

#include "gs_ros2/wire.hpp"

namespace gs_ros2::testing {

// Long enough for a machine that is busy with other things; nobody waits so long when all is well.
constexpr std::chrono::seconds kPatience(60);

// A domain that no test beside this one uses, on the loopback interface only.
inline WireSettings loopback() {
  const char* domain = std::getenv("GS_TEST_DOMAIN");
  return {.domain = domain ? static_cast<uint32_t>(std::atoi(domain))
                           : 1 + static_cast<uint32_t>(getpid()) % 100,
          .range = DiscoveryRange::Localhost};
}

// For states that no event announces, such as the end of discovery.
inline bool eventually(const std::function<bool()>& holds,
                       std::chrono::milliseconds patience = kPatience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// Collects what threads of DDS hand over.
template <typename T>
class Inbox {
 public:
  void put(T item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    changed_.notify_all();
  }

  bool waitFor(size_t count, std::chrono::milliseconds patience = kPatience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return items_.size() >= count; });
  }

  std::vector<T> items() const {
    const std::lock_guard lock(mutex_);
    return items_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<T> items_;
};

}  // namespace gs_ros2::testing
