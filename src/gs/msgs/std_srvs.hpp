// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gs::msgs {

// std_srvs/srv/Trigger_Request.
struct TriggerRequest {
  static constexpr const char* kRosType = "std_srvs/srv/Trigger_Request";

  static void fields(auto&, auto&&) {}
  bool operator==(const TriggerRequest&) const = default;
};

// std_srvs/srv/Trigger_Response.
struct TriggerResponse {
  static constexpr const char* kRosType = "std_srvs/srv/Trigger_Response";

  bool success = false;
  std::string message;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
  }
  bool operator==(const TriggerResponse&) const = default;
};

// std_srvs/srv/SetBool_Request.
struct SetBoolRequest {
  static constexpr const char* kRosType = "std_srvs/srv/SetBool_Request";

  bool data = false;

  static void fields(auto& self, auto&& visit) { visit("data", self.data); }
  bool operator==(const SetBoolRequest&) const = default;
};

// std_srvs/srv/SetBool_Response.
struct SetBoolResponse {
  static constexpr const char* kRosType = "std_srvs/srv/SetBool_Response";

  bool success = false;
  std::string message;

  static void fields(auto& self, auto&& visit) {
    visit("success", self.success);
    visit("message", self.message);
  }
  bool operator==(const SetBoolResponse&) const = default;
};

// std_srvs/srv/Empty_Request.
struct EmptyRequest {
  static constexpr const char* kRosType = "std_srvs/srv/Empty_Request";

  static void fields(auto&, auto&&) {}
  bool operator==(const EmptyRequest&) const = default;
};

// std_srvs/srv/Empty_Response.
struct EmptyResponse {
  static constexpr const char* kRosType = "std_srvs/srv/Empty_Response";

  static void fields(auto&, auto&&) {}
  bool operator==(const EmptyResponse&) const = default;
};

}  // namespace gs::msgs
