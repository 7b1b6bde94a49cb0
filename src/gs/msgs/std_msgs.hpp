// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/msgs/builtin_interfaces.hpp"

namespace gs::msgs {

// std_msgs/msg/Header.
struct Header {
  static constexpr const char* kRosType = "std_msgs/msg/Header";

  Time stamp;
  std::string frame_id;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("frame_id", self.frame_id);
  }
  bool operator==(const Header&) const = default;
};

// std_msgs/msg/String.
struct String {
  static constexpr const char* kRosType = "std_msgs/msg/String";

  std::string data;

  static void fields(auto& self, auto&& visit) { visit("data", self.data); }
  bool operator==(const String&) const = default;
};

// std_msgs/msg/ColorRGBA.
struct ColorRGBA {
  static constexpr const char* kRosType = "std_msgs/msg/ColorRGBA";

  float r = 0;
  float g = 0;
  float b = 0;
  float a = 0;

  static void fields(auto& self, auto&& visit) {
    visit("r", self.r);
    visit("g", self.g);
    visit("b", self.b);
    visit("a", self.a);
  }
  bool operator==(const ColorRGBA&) const = default;
};

}  // namespace gs::msgs
