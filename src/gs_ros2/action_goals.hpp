// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/time.hpp"
#include "gs/msgs/action_msgs.hpp"

// The goals of one action server: their states, what a cancel request names, who waits for which
// result. No wire and no clock; rules and edge cases are those of rcl_action.
namespace gs_ros2 {

using GoalId = gs::msgs::UUID;

// The numbers are those of action_msgs/msg/GoalStatus.
enum class GoalState : int8_t {
  Unknown = gs::msgs::GoalStatus::kUnknown,
  Accepted = gs::msgs::GoalStatus::kAccepted,
  Executing = gs::msgs::GoalStatus::kExecuting,
  Canceling = gs::msgs::GoalStatus::kCanceling,
  Succeeded = gs::msgs::GoalStatus::kSucceeded,
  Canceled = gs::msgs::GoalStatus::kCanceled,
  Aborted = gs::msgs::GoalStatus::kAborted,
};

// False for goals that have ended and for those that nobody knows.
bool isActive(GoalState state);

class ActionGoals {
 public:
  // Clients that flood us lose their own requests, and we lose no memory. A burst of answers to
  // all who wait must fit into the queue of one writer.
  static constexpr size_t kMaxGoals = 64;
  static constexpr size_t kMaxWaiting = 64;
  // Humble's value, the longest that any distribution has.
  static constexpr gs::Duration kResultTimeout{int64_t{15} * 60 * 1'000'000'000};

  // The encoded response to a get_result request.
  using Answer = std::function<void(gs::Bytes)>;

  // `no_result` answers whoever asks for a goal that is not known (any more).
  explicit ActionGoals(std::vector<std::byte> no_result) : no_result_(std::move(no_result)) {}

  // False for a second goal with the same id, and when too many are active. The oldest goal that
  // has ended makes room for a new one.
  bool hasRoomFor(const GoalId& id) const;
  // Only when hasRoomFor(id). `stamp` is what cancel requests compare with.
  void accept(const GoalId& id, gs::Stamp stamp);

  GoalState state(const GoalId& id) const;
  // These three return false and change nothing where ROS has no such transition.
  bool execute(const GoalId& id);
  bool requestCancel(const GoalId& id);
  // `how` is Succeeded, Canceled or Aborted. Answers all who wait with `result`.
  bool end(const GoalId& id, GoalState how, std::vector<std::byte> result, gs::Stamp real_now);

  // Which goals a request names: one by its id, all up to a stamp, both, or all. The code says why
  // there is none. Nothing changes yet: the server may refuse each of them.
  gs::msgs::CancelGoalResponse namedBy(const gs::msgs::CancelGoalRequest& request) const;

  // Answers now when the goal has ended, is not known, or too many wait already; else at its end.
  void awaitResult(const GoalId& id, Answer answer);

  // Forgets goals that ended long ago. Real time and not simulated time: how long a client takes to
  // ask has nothing to do with the speed of the simulation, which may stand still or be reset.
  void expire(gs::Stamp real_now);

  gs::msgs::GoalStatusArray status() const;  // in the order of acceptance
  size_t waitingCount() const { return waiting_.size(); }

 private:
  struct Goal {
    GoalId id;
    gs::Stamp stamp;
    GoalState state = GoalState::Accepted;
    gs::Stamp ended_at;  // real time
    std::vector<std::byte> result;

    gs::msgs::GoalInfo info() const;
  };
  struct Waiting {
    GoalId id;
    Answer answer;
  };

  bool move(const GoalId& id, GoalState to);

  std::vector<std::byte> no_result_;
  std::vector<Goal> goals_;  // in the order of acceptance
  std::vector<Waiting> waiting_;
};

}  // namespace gs_ros2
