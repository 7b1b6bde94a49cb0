// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/lock_step.hpp"

#include <algorithm>

namespace gs_ros2 {
namespace {

using TimePoint = LockStepWait::TimePoint;

constexpr std::chrono::milliseconds kFirstPause(100), kLongestPause(2000);
// How long a step that waits for its command may overlook Ctrl-C.
constexpr std::chrono::milliseconds kNap(100);

TimePoint after(TimePoint begun, double seconds) {
  return begun +
         std::chrono::duration_cast<TimePoint::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

void LockStepWait::meet(TimePoint now, const Controllers& who) {
  begun_ = now;
  pause_ = kFirstPause;
  next_show_ = now + pause_;
  if (who.ever != met_) commands_before_ = who.commands;
  met_ = who.ever;
}

void LockStepWait::begin(TimePoint now, const Controllers& who) {
  meet(now, who);
  has_complained_ = false;
}

LockStepWait::Action LockStepWait::next(TimePoint now, const Controllers& who, double timeout_sec) {
  if (who.present == 0) {
    begun_ = now;
    return Action::Wait;
  }
  if (who.ever != met_) {
    meet(now, who);
    return Action::ShowAgain;
  }
  if (now >= after(begun_, timeout_sec)) {
    if (!is_first_) return Action::GiveUp;
    if (!has_complained_) {
      has_complained_ = true;
      return Action::Complain;
    }
  }
  if (who.commands != commands_before_ || now < next_show_) return Action::Wait;
  pause_ = std::min(2 * pause_, kLongestPause);
  next_show_ = now + pause_;
  return Action::ShowAgain;
}

LockStepWait::TimePoint LockStepWait::wakeAt(TimePoint now, double timeout_sec) const {
  const TimePoint overdue = after(begun_, timeout_sec);
  return overdue > now ? std::min(overdue, now + kNap) : now + kNap;
}

}  // namespace gs_ros2
