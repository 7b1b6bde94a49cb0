// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace gs::msgs {

// unique_identifier_msgs/msg/UUID.
struct UUID {
  static constexpr const char* kRosType = "unique_identifier_msgs/msg/UUID";

  std::array<uint8_t, 16> uuid{};

  static void fields(auto& self, auto&& visit) { visit("uuid", self.uuid); }
  auto operator<=>(const UUID&) const = default;
};

}  // namespace gs::msgs
