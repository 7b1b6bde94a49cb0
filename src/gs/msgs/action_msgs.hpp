// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/msgs/builtin_interfaces.hpp"
#include "gs/msgs/unique_identifier_msgs.hpp"

// What all actions have in common; action.hpp has what each of them has of its own.
namespace gs::msgs {

// action_msgs/msg/GoalInfo.
struct GoalInfo {
  static constexpr const char* kRosType = "action_msgs/msg/GoalInfo";

  UUID goal_id;
  Time stamp;  // when the goal was accepted

  static void fields(auto& self, auto&& visit) {
    visit("goal_id", self.goal_id);
    visit("stamp", self.stamp);
  }
  bool operator==(const GoalInfo&) const = default;
};

// action_msgs/msg/GoalStatus.
struct GoalStatus {
  static constexpr const char* kRosType = "action_msgs/msg/GoalStatus";
  static constexpr int8_t kUnknown = 0;
  static constexpr int8_t kAccepted = 1;
  static constexpr int8_t kExecuting = 2;
  static constexpr int8_t kCanceling = 3;
  static constexpr int8_t kSucceeded = 4;
  static constexpr int8_t kCanceled = 5;
  static constexpr int8_t kAborted = 6;

  GoalInfo goal_info;
  int8_t status = kUnknown;

  static void constants(auto&& visit) {
    visit("STATUS_UNKNOWN", kUnknown);
    visit("STATUS_ACCEPTED", kAccepted);
    visit("STATUS_EXECUTING", kExecuting);
    visit("STATUS_CANCELING", kCanceling);
    visit("STATUS_SUCCEEDED", kSucceeded);
    visit("STATUS_CANCELED", kCanceled);
    visit("STATUS_ABORTED", kAborted);
  }
  static void fields(auto& self, auto&& visit) {
    visit("goal_info", self.goal_info);
    visit("status", self.status);
  }
  bool operator==(const GoalStatus&) const = default;
};

// action_msgs/msg/GoalStatusArray.
struct GoalStatusArray {
  static constexpr const char* kRosType = "action_msgs/msg/GoalStatusArray";

  std::vector<GoalStatus> status_list;

  static void fields(auto& self, auto&& visit) { visit("status_list", self.status_list); }
  bool operator==(const GoalStatusArray&) const = default;
};

// action_msgs/srv/CancelGoal_Request.
struct CancelGoalRequest {
  static constexpr const char* kRosType = "action_msgs/srv/CancelGoal_Request";

  GoalInfo goal_info;

  static void fields(auto& self, auto&& visit) { visit("goal_info", self.goal_info); }
  bool operator==(const CancelGoalRequest&) const = default;
};

// action_msgs/srv/CancelGoal_Response.
struct CancelGoalResponse {
  static constexpr const char* kRosType = "action_msgs/srv/CancelGoal_Response";
  static constexpr int8_t kNone = 0;
  static constexpr int8_t kRejected = 1;
  static constexpr int8_t kUnknownGoalId = 2;
  static constexpr int8_t kGoalTerminated = 3;

  int8_t return_code = kNone;
  std::vector<GoalInfo> goals_canceling;

  static void constants(auto&& visit) {
    visit("ERROR_NONE", kNone);
    visit("ERROR_REJECTED", kRejected);
    visit("ERROR_UNKNOWN_GOAL_ID", kUnknownGoalId);
    visit("ERROR_GOAL_TERMINATED", kGoalTerminated);
  }
  static void fields(auto& self, auto&& visit) {
    visit("return_code", self.return_code);
    visit("goals_canceling", self.goals_canceling);
  }
  bool operator==(const CancelGoalResponse&) const = default;
};

}  // namespace gs::msgs
