// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <unistd.h>
#include <vector>

#include "gs/core/testing/eventually.hpp"
#include "gs_ros2/wire.hpp"

namespace gs_ros2::testing {

using gs::testing::eventually;
using gs::testing::kPatience;

// A domain that no test beside this one uses, on the loopback interface only.
inline WireSettings loopback() {
  const char* domain = std::getenv("GS_TEST_DOMAIN");
  return {.domain = domain ? static_cast<uint32_t>(std::atoi(domain))
                           : 1 + static_cast<uint32_t>(getpid()) % 100,
          .range = DiscoveryRange::Localhost};
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
