// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace gs::testing {

// Long enough for a machine that is busy with other things; nobody waits so long when all is well.
constexpr std::chrono::seconds kPatience(60);

// For states that no event announces, such as the end of discovery. False when the time is up.
inline bool eventually(const std::function<bool()>& holds,
                       std::chrono::milliseconds patience = kPatience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace gs::testing
