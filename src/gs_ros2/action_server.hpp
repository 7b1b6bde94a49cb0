// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gs/msgs/action.hpp"
#include "gs_ros2/action_goals.hpp"
#include "gs_ros2/node.hpp"

// An action as a node offers it: three services, feedback and status, as rclcpp_action has them.
namespace gs_ros2 {

template <typename A>
concept RosAction = gs::HasRosType<typename A::Goal> && gs::HasRosType<typename A::Result> &&
    gs::HasRosType<typename A::Feedback>;

// The time of the stamps that peers see; simulated time as a rule.
using StampClock = std::function<gs::Stamp()>;

// What is the same for all actions: the goals, and the status that follows each change.
class ActionCore {
 public:
  ActionCore(const Publisher<gs::msgs::GoalStatusArray>& status, StampClock clock,
             std::vector<std::byte> no_result)
      : goals_(std::move(no_result)), clock_(std::move(clock)), status_(status) {}

  bool hasRoomFor(const GoalId& id);
  // The stamp to tell the client. publishStatus() is left to the caller: the client first.
  gs::msgs::Time accept(const GoalId& id);
  void publishStatus() const { status_.publish(goals_.status()); }

  GoalState state(const GoalId& id) const { return goals_.state(id); }
  bool execute(const GoalId& id);
  bool end(const GoalId& id, GoalState how, std::vector<std::byte> result);
  // Asks for each goal that the request names.
  gs::msgs::CancelGoalResponse cancel(const gs::msgs::CancelGoalRequest& request,
                                      const std::function<bool(const GoalId&)>& may_cancel);
  void awaitResult(const GoalId& id, ActionGoals::Answer answer);

 private:
  ActionGoals goals_;
  StampClock clock_;
  Publisher<gs::msgs::GoalStatusArray> status_;
};

// One goal in the hands of whoever works on it. Cheap to copy, used on the thread that runs the
// node's work. A function that returns false did nothing: the state of the goal does not permit it,
// or the server is gone.
template <RosAction A>
class GoalHandle {
 public:
  GoalHandle(std::weak_ptr<ActionCore> core, Publisher<gs::msgs::FeedbackMessage<A>> feedback,
             const GoalId& id)
      : core_(std::move(core)), feedback_(feedback), id_(id) {}

  const GoalId& id() const { return id_; }
  GoalState state() const {
    const auto core = core_.lock();
    return core ? core->state(id_) : GoalState::Unknown;
  }
  bool isCancelRequested() const { return state() == GoalState::Canceling; }

  // The work begins. An accepted goal may wait for this as long as it likes.
  bool execute() const {
    const auto core = core_.lock();
    return core && core->execute(id_);
  }

  bool publishFeedback(const typename A::Feedback& feedback) const {
    const GoalState now = state();
    if (now != GoalState::Executing && now != GoalState::Canceling) return false;
    feedback_.publish({.goal_id = id_, .feedback = feedback});
    return true;
  }

  bool succeed(const typename A::Result& result) const { return end(GoalState::Succeeded, result); }
  bool abort(const typename A::Result& result) const { return end(GoalState::Aborted, result); }
  // Only while isCancelRequested().
  bool canceled(const typename A::Result& result) const { return end(GoalState::Canceled, result); }

 private:
  bool end(GoalState how, const typename A::Result& result) const {
    const auto core = core_.lock();
    const gs::msgs::GetResultResponse<A> response{static_cast<int8_t>(how), result};
    return core && core->end(id_, how, gs::encodeCdr(response));
  }

  std::weak_ptr<ActionCore> core_;
  Publisher<gs::msgs::FeedbackMessage<A>> feedback_;
  GoalId id_;
};

// Offers A until it goes; the node must outlive it. Create it before node.announce(). Callbacks run
// in the node's work queue, as those of services do.
template <RosAction A>
class ActionServer {
 public:
  struct Callbacks {
    // Whether to accept. A second goal of one id, and those beyond ActionGoals::kMaxGoals, are
    // refused without a question.
    std::function<bool(const typename A::Goal&)> on_goal;
    // The client knows. Call execute() now or later, and then succeed(), abort() or canceled().
    std::function<void(const GoalHandle<A>&, const typename A::Goal&)> on_accepted;
    // Whether the goal may be cancelled. Then isCancelRequested() holds until its end.
    std::function<bool(const GoalHandle<A>&)> on_cancel;
  };

  ActionServer(Node& node, const std::string& name, Callbacks callbacks, StampClock clock)
      : prefix_(node.resolve(name) + "/_action/"),
        feedback_(node.advertise<gs::msgs::FeedbackMessage<A>>(prefix_ + "feedback", {})),
        core_(std::make_shared<ActionCore>(
            node.advertise<gs::msgs::GoalStatusArray>(prefix_ + "status",
                                                      {.is_latched = true, .depth = 1}),
            std::move(clock), gs::encodeCdr(gs::msgs::GetResultResponse<A>{}))) {
    serveGoals(node, callbacks);
    serveCancels(node, callbacks.on_cancel);
    serveResults(node);
  }

 private:
  void serveGoals(Node& node, const Callbacks& callbacks) {
    using Request = gs::msgs::SendGoalRequest<A>;
    using Response = gs::msgs::SendGoalResponse<A>;
    node.serveLater<Request, Response>(
        prefix_ + "send_goal", [weak = std::weak_ptr(core_), feedback = feedback_, callbacks](
                                   const Request& request, const auto& respond) {
          const auto core = weak.lock();
          if (!core) return;
          if (!core->hasRoomFor(request.goal_id) || !callbacks.on_goal(request.goal))
            return respond({});
          respond({.accepted = true, .stamp = core->accept(request.goal_id)});
          core->publishStatus();
          callbacks.on_accepted({weak, feedback, request.goal_id}, request.goal);
        });
  }

  void serveCancels(Node& node, const std::function<bool(const GoalHandle<A>&)>& on_cancel) {
    using Request = gs::msgs::CancelGoalRequest;
    node.serveLater<Request, gs::msgs::CancelGoalResponse>(
        prefix_ + "cancel_goal", [weak = std::weak_ptr(core_), feedback = feedback_, on_cancel](
                                     const Request& request, const auto& respond) {
          if (const auto core = weak.lock())
            respond(core->cancel(request, [&](const GoalId& id) {
              return on_cancel({weak, feedback, id});
            }));
        });
  }

  // Bytes, since a response is encoded once however many wait for it.
  void serveResults(Node& node) {
    using Request = gs::msgs::GetResultRequest<A>;
    node.addService(
        serviceSpec<Request, gs::msgs::GetResultResponse<A>>(node.resolve(prefix_ + "get_result")),
        [weak = std::weak_ptr(core_)](gs::Bytes bytes, ServiceServer::Respond respond) {
          const auto request = gs::findCdr<Request>(bytes);
          if (!request) return std::function<void()>();
          return std::function<void()>([weak, id = request->goal_id, respond = std::move(respond)] {
            if (const auto core = weak.lock()) core->awaitResult(id, respond);
          });
        });
  }

  std::string prefix_;
  Publisher<gs::msgs::FeedbackMessage<A>> feedback_;
  std::shared_ptr<ActionCore> core_;
};

}  // namespace gs_ros2
