// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// nav_msgs/msg/Odometry.
struct Odometry {
  static constexpr const char* kRosType = "nav_msgs/msg/Odometry";

  Header header;
  std::string child_frame_id;
  PoseWithCovariance pose;
  TwistWithCovariance twist;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("child_frame_id", self.child_frame_id);
    visit("pose", self.pose);
    visit("twist", self.twist);
  }
  bool operator==(const Odometry&) const = default;
};

// nav_msgs/msg/Path.
struct Path {
  static constexpr const char* kRosType = "nav_msgs/msg/Path";

  Header header;
  std::vector<PoseStamped> poses;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("poses", self.poses);
  }
  bool operator==(const Path&) const = default;
};

}  // namespace gs::msgs
