// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/unique_identifier_msgs.hpp"

// The messages that ROS 2 makes out of one .action file. An action is a struct with its name,
// kRosType = "pkg/action/Name", and the three parts of the file as messages of their own: Goal,
// Result and Feedback, with kRosType "pkg/action/Name_Goal" and so on.
namespace gs::msgs {

namespace detail {

template <typename Action, size_t N>
constexpr auto actionTypeName(const char (&suffix)[N]) {
  constexpr std::string_view kStem = Action::kRosType;
  std::array<char, kStem.size() + N> name{};
  std::copy_n(suffix, N, std::copy_n(kStem.data(), kStem.size(), name.begin()));
  return name;
}

}  // namespace detail

template <typename Action>
struct SendGoalRequest {
  static constexpr auto kName = detail::actionTypeName<Action>("_SendGoal_Request");
  static constexpr const char* kRosType = kName.data();

  UUID goal_id;
  typename Action::Goal goal;

  static void fields(auto& self, auto&& visit) {
    visit("goal_id", self.goal_id);
    visit("goal", self.goal);
  }
};

template <typename Action>
struct SendGoalResponse {
  static constexpr auto kName = detail::actionTypeName<Action>("_SendGoal_Response");
  static constexpr const char* kRosType = kName.data();

  bool accepted = false;
  Time stamp;

  static void fields(auto& self, auto&& visit) {
    visit("accepted", self.accepted);
    visit("stamp", self.stamp);
  }
};

template <typename Action>
struct GetResultRequest {
  static constexpr auto kName = detail::actionTypeName<Action>("_GetResult_Request");
  static constexpr const char* kRosType = kName.data();

  UUID goal_id;

  static void fields(auto& self, auto&& visit) { visit("goal_id", self.goal_id); }
};

template <typename Action>
struct GetResultResponse {
  static constexpr auto kName = detail::actionTypeName<Action>("_GetResult_Response");
  static constexpr const char* kRosType = kName.data();

  int8_t status = 0;  // of GoalStatus
  typename Action::Result result;

  static void fields(auto& self, auto&& visit) {
    visit("status", self.status);
    visit("result", self.result);
  }
};

template <typename Action>
struct FeedbackMessage {
  static constexpr auto kName = detail::actionTypeName<Action>("_FeedbackMessage");
  static constexpr const char* kRosType = kName.data();

  UUID goal_id;
  typename Action::Feedback feedback;

  static void fields(auto& self, auto&& visit) {
    visit("goal_id", self.goal_id);
    visit("feedback", self.feedback);
  }
};

}  // namespace gs::msgs
