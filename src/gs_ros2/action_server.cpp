// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/action_server.hpp"

#include <chrono>
#include <utility>

namespace gs_ros2 {
namespace {

gs::Stamp realNow() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot).count()};
}

}  // namespace

bool ActionCore::hasRoomFor(const GoalId& id) {
  goals_.expire(realNow());
  return goals_.hasRoomFor(id);
}

gs::msgs::Time ActionCore::accept(const GoalId& id) {
  const gs::Stamp stamp = clock_();
  goals_.accept(id, stamp);
  const gs::SecNanosec time = gs::toSecNanosec(stamp);
  return {time.sec, time.nanosec};
}

bool ActionCore::execute(const GoalId& id) {
  if (!goals_.execute(id)) return false;
  publishStatus();
  return true;
}

bool ActionCore::end(const GoalId& id, GoalState how, std::vector<std::byte> result) {
  if (!goals_.end(id, how, std::move(result), realNow())) return false;
  publishStatus();
  return true;
}

gs::msgs::CancelGoalResponse ActionCore::cancel(
    const gs::msgs::CancelGoalRequest& request,
    const std::function<bool(const GoalId&)>& may_cancel) {
  goals_.expire(realNow());
  gs::msgs::CancelGoalResponse response = goals_.namedBy(request);
  const auto named = std::exchange(response.goals_canceling, {});
  for (const gs::msgs::GoalInfo& goal : named)
    if (may_cancel(goal.goal_id) && goals_.requestCancel(goal.goal_id))
      response.goals_canceling.push_back(goal);
  if (!response.goals_canceling.empty()) publishStatus();
  else if (!named.empty()) response.return_code = gs::msgs::CancelGoalResponse::kRejected;
  return response;
}

void ActionCore::awaitResult(const GoalId& id, ActionGoals::Answer answer) {
  goals_.expire(realNow());
  goals_.awaitResult(id, std::move(answer));
}

}  // namespace gs_ros2
