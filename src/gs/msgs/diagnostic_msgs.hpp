// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// diagnostic_msgs/msg/KeyValue.
struct KeyValue {
  static constexpr const char* kRosType = "diagnostic_msgs/msg/KeyValue";

  std::string key;
  std::string value;

  static void fields(auto& self, auto&& visit) {
    visit("key", self.key);
    visit("value", self.value);
  }
  bool operator==(const KeyValue&) const = default;
};

// diagnostic_msgs/msg/DiagnosticStatus.
struct DiagnosticStatus {
  static constexpr const char* kRosType = "diagnostic_msgs/msg/DiagnosticStatus";
  static constexpr std::byte kOk{0};
  static constexpr std::byte kWarn{1};
  static constexpr std::byte kError{2};
  static constexpr std::byte kStale{3};

  std::byte level{};
  std::string name;
  std::string message;
  std::string hardware_id;
  std::vector<KeyValue> values;

  static void constants(auto&& visit) {
    visit("OK", kOk);
    visit("WARN", kWarn);
    visit("ERROR", kError);
    visit("STALE", kStale);
  }
  static void fields(auto& self, auto&& visit) {
    visit("level", self.level);
    visit("name", self.name);
    visit("message", self.message);
    visit("hardware_id", self.hardware_id);
    visit("values", self.values);
  }
  bool operator==(const DiagnosticStatus&) const = default;
};

// diagnostic_msgs/msg/DiagnosticArray.
struct DiagnosticArray {
  static constexpr const char* kRosType = "diagnostic_msgs/msg/DiagnosticArray";

  Header header;
  std::vector<DiagnosticStatus> status;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("status", self.status);
  }
  bool operator==(const DiagnosticArray&) const = default;
};

}  // namespace gs::msgs
