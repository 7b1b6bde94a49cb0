// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/msgs/simulation_interfaces.hpp"

// The two requests that version 1 of the standard interfaces defines otherwise: it is what Humble
// (1.4), Jazzy (1.5) and Kilted (1.6) ship. Lyrical and Rolling have version 2. All else is the
// same in both.
namespace gs::msgs::simulation_interfaces::v1 {

// simulation_interfaces/srv/LoadWorld_Request. The bytes are those of version 2.
struct LoadWorldRequest {
  static constexpr const char* kRosType = simulation_interfaces::LoadWorldRequest::kRosType;

  std::string uri;
  std::string resource_string;
  bool fail_on_unsupported_element = false;
  bool ignore_missing_or_unsupported_assets = false;

  static void fields(auto& self, auto&& visit) {
    visit("uri", self.uri);
    visit("resource_string", self.resource_string);
    visit("fail_on_unsupported_element", self.fail_on_unsupported_element);
    visit("ignore_missing_or_unsupported_assets", self.ignore_missing_or_unsupported_assets);
  }
  bool operator==(const LoadWorldRequest&) const = default;
};

// simulation_interfaces/srv/SetEntityState_Request: it ends before the three switches.
struct SetEntityStateRequest {
  static constexpr const char* kRosType = simulation_interfaces::SetEntityStateRequest::kRosType;

  std::string entity;
  EntityState state;

  static void fields(auto& self, auto&& visit) {
    visit("entity", self.entity);
    visit("state", self.state);
  }
  bool operator==(const SetEntityStateRequest&) const = default;
};

}  // namespace gs::msgs::simulation_interfaces::v1
