// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gs_ros2::testing {

// gs_test_msgs/action/Count: "int32 target --- int32 last --- int32 current".
struct Count {
  static constexpr const char* kRosType = "gs_test_msgs/action/Count";

  struct Goal {
    static constexpr const char* kRosType = "gs_test_msgs/action/Count_Goal";
    int32_t target = 0;
    static void fields(auto& self, auto&& visit) { visit("target", self.target); }
  };
  struct Result {
    static constexpr const char* kRosType = "gs_test_msgs/action/Count_Result";
    int32_t last = 0;
    static void fields(auto& self, auto&& visit) { visit("last", self.last); }
  };
  struct Feedback {
    static constexpr const char* kRosType = "gs_test_msgs/action/Count_Feedback";
    int32_t current = 0;
    static void fields(auto& self, auto&& visit) { visit("current", self.current); }
  };
};

}  // namespace gs_ros2::testing
