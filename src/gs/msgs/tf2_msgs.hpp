// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/msgs/geometry_msgs.hpp"

namespace gs::msgs {

// tf2_msgs/msg/TFMessage.
struct TFMessage {
  static constexpr const char* kRosType = "tf2_msgs/msg/TFMessage";

  std::vector<TransformStamped> transforms;

  static void fields(auto& self, auto&& visit) { visit("transforms", self.transforms); }
  bool operator==(const TFMessage&) const = default;
};

}  // namespace gs::msgs
