// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gs::msgs {

// builtin_interfaces/msg/Time.
struct Time {
  static constexpr const char* kRosType = "builtin_interfaces/msg/Time";

  int32_t sec = 0;
  uint32_t nanosec = 0;

  static void fields(auto& self, auto&& visit) {
    visit("sec", self.sec);
    visit("nanosec", self.nanosec);
  }
  bool operator==(const Time&) const = default;
};

// builtin_interfaces/msg/Duration.
struct Duration {
  static constexpr const char* kRosType = "builtin_interfaces/msg/Duration";

  int32_t sec = 0;
  uint32_t nanosec = 0;

  static void fields(auto& self, auto&& visit) {
    visit("sec", self.sec);
    visit("nanosec", self.nanosec);
  }
  bool operator==(const Duration&) const = default;
};

}  // namespace gs::msgs
