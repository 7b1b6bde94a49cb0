// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace gs_ros2 {

using Ipv4 = std::array<uint8_t, 4>;

constexpr Ipv4 kLoopback = {127, 0, 0, 1};

inline bool isLoopback(const Ipv4& address) { return address[0] == 127; }

// The addresses of this machine's interfaces, loopback first, sorted.
std::vector<Ipv4> ownAddresses();

// Who may be talked to when only this machine is meant: the machine itself, and hosts that were
// named. Interfaces come and go while a program runs, so a stranger is looked up again now and
// then.
class AllowedHosts {
 public:
  explicit AllowedHosts(std::vector<Ipv4> named) : named_(std::move(named)) {}

  // From any thread.
  bool contains(const Ipv4& address);

 private:
  const std::vector<Ipv4> named_;
  std::mutex mutex_;
  std::vector<Ipv4> own_;
  std::chrono::steady_clock::time_point next_look_;  // the first one is at once
};

}  // namespace gs_ros2
