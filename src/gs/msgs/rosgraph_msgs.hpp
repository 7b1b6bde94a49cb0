// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/msgs/builtin_interfaces.hpp"

namespace gs::msgs {

// rosgraph_msgs/msg/Clock.
struct Clock {
  static constexpr const char* kRosType = "rosgraph_msgs/msg/Clock";

  Time clock;

  static void fields(auto& self, auto&& visit) { visit("clock", self.clock); }
  bool operator==(const Clock&) const = default;
};

}  // namespace gs::msgs
