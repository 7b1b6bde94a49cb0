// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/action_goals.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gs/core/check.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;

bool isTransition(GoalState from, GoalState to) {
  switch (to) {
    case GoalState::Executing: return from == GoalState::Accepted;
    case GoalState::Canceling: return from == GoalState::Accepted || from == GoalState::Executing;
    case GoalState::Succeeded:
    case GoalState::Aborted: return from == GoalState::Executing || from == GoalState::Canceling;
    case GoalState::Canceled: return from == GoalState::Canceling;
    default: return false;
  }
}

// A pointer to the goal with this id, or null.
auto* findIn(auto& goals, const GoalId& id) {
  const auto found =
      std::find_if(goals.begin(), goals.end(), [&](const auto& goal) { return goal.id == id; });
  return found == goals.end() ? nullptr : &*found;
}

bool isCancelable(GoalState state) { return isTransition(state, GoalState::Canceling); }

}  // namespace

bool isActive(GoalState state) {
  return state == GoalState::Accepted || state == GoalState::Executing ||
         state == GoalState::Canceling;
}

msgs::GoalInfo ActionGoals::Goal::info() const {
  const gs::SecNanosec time = gs::toSecNanosec(stamp);
  return {.goal_id = id, .stamp = {time.sec, time.nanosec}};
}

bool ActionGoals::hasRoomFor(const GoalId& id) const {
  if (findIn(goals_, id)) return false;
  return goals_.size() < kMaxGoals || std::any_of(goals_.begin(), goals_.end(),
                                                  [](const Goal& g) { return !isActive(g.state); });
}

void ActionGoals::accept(const GoalId& id, gs::Stamp stamp) {
  GS_CHECK(hasRoomFor(id) == true);
  if (goals_.size() >= kMaxGoals)
    goals_.erase(std::find_if(goals_.begin(), goals_.end(),
                              [](const Goal& goal) { return !isActive(goal.state); }));
  goals_.push_back({.id = id, .stamp = stamp});
}

GoalState ActionGoals::state(const GoalId& id) const {
  const Goal* goal = findIn(goals_, id);
  return goal ? goal->state : GoalState::Unknown;
}

bool ActionGoals::move(const GoalId& id, GoalState to) {
  Goal* goal = findIn(goals_, id);
  if (!goal || !isTransition(goal->state, to)) return false;
  goal->state = to;
  return true;
}

bool ActionGoals::execute(const GoalId& id) { return move(id, GoalState::Executing); }
bool ActionGoals::requestCancel(const GoalId& id) { return move(id, GoalState::Canceling); }

bool ActionGoals::end(const GoalId& id, GoalState how, std::vector<std::byte> result,
                      gs::Stamp real_now) {
  if (isActive(how) || !move(id, how)) return false;
  Goal& goal = *findIn(goals_, id);
  goal.ended_at = real_now;
  goal.result = std::move(result);
  std::vector<Answer> ready;
  std::erase_if(waiting_, [&](Waiting& waiting) {
    if (waiting.id != id) return false;
    ready.push_back(std::move(waiting.answer));
    return true;
  });
  for (const Answer& answer : ready) answer(goal.result);
  return true;
}

msgs::CancelGoalResponse ActionGoals::namedBy(const msgs::CancelGoalRequest& request) const {
  const GoalId& id = request.goal_info.goal_id;
  const msgs::Time& time = request.goal_info.stamp;
  gs::Stamp until = gs::fromSecNanosec({time.sec, time.nanosec});
  msgs::CancelGoalResponse response;
  if (until.ns == 0 && id != GoalId{}) {
    const Goal* goal = findIn(goals_, id);
    if (!goal) response.return_code = msgs::CancelGoalResponse::kUnknownGoalId;
    // Also for one that is being cancelled: rcl_action has no other word for it.
    else if (!isCancelable(goal->state))
      response.return_code = msgs::CancelGoalResponse::kGoalTerminated;
    else response.goals_canceling.push_back(goal->info());
    return response;
  }
  if (until.ns == 0) until.ns = std::numeric_limits<int64_t>::max();
  for (const Goal& goal : goals_)
    if (isCancelable(goal.state) && (goal.stamp <= until || goal.id == id))
      response.goals_canceling.push_back(goal.info());
  return response;
}

void ActionGoals::awaitResult(const GoalId& id, Answer answer) {
  const Goal* goal = findIn(goals_, id);
  if (!goal || (isActive(goal->state) && waiting_.size() >= kMaxWaiting)) answer(no_result_);
  else if (isActive(goal->state)) waiting_.push_back({id, std::move(answer)});
  else answer(goal->result);
}

void ActionGoals::expire(gs::Stamp real_now) {
  std::erase_if(goals_, [&](const Goal& goal) {
    return !isActive(goal.state) && real_now - goal.ended_at > kResultTimeout;
  });
}

msgs::GoalStatusArray ActionGoals::status() const {
  msgs::GoalStatusArray all;
  for (const Goal& goal : goals_)
    all.status_list.push_back({goal.info(), static_cast<int8_t>(goal.state)});
  return all;
}

}  // namespace gs_ros2
