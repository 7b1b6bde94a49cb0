// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/loss_ledger.hpp"

#include <algorithm>

namespace gs_ros2 {
namespace {

// A reader that asks and never acknowledges could make us remember everything.
constexpr int64_t kMostRemembered = 10'000;

}  // namespace

void LossLedger::addReader(const Guid& reader, Time now) {
  const std::lock_guard lock(mutex_);
  const int64_t gone = goneThrough();
  readers_.insert({reader, {.since = now, .gone_before = gone, .is_introduced = gone <= 0}});
}

void LossLedger::removeReader(const Guid& reader) {
  const std::lock_guard lock(mutex_);
  readers_.erase(reader);
  forgetTheSettled();
}

void LossLedger::beforeWrite() {
  const std::lock_guard lock(mutex_);
  ++newest_;
  // No socket holds so many: whoever still has not answered for the oldest does not have it.
  const int64_t too_old = goneThrough() - kMostRemembered;
  for (auto& [reader, account] : readers_)
    for (; account.has_answered && account.settled <= too_old; ++account.settled)
      lose(account.settled);
}

void LossLedger::afterWrite(int64_t number) {
  const std::lock_guard lock(mutex_);
  newest_ = number;
}

void LossLedger::writeFailed() {
  const std::lock_guard lock(mutex_);
  --newest_;
}

void LossLedger::sent(int64_t number, Time now) {
  const std::lock_guard lock(mutex_);
  if (number > sent_) {
    sent_ = number;
    sent_at_ = now;
  } else if (number < sent_ || now >= sent_at_ + kSameSending) {
    sent_again_[number] = now;
  }
  while (sent_again_.size() > size_t{kMostRemembered}) sent_again_.erase(sent_again_.begin());
}

void LossLedger::answered(const Guid& reader, int64_t acknowledged,
                          const std::vector<int64_t>& missing, Time now) {
  const std::lock_guard lock(mutex_);
  const auto found = readers_.find(reader);
  if (found == readers_.end()) return;
  Account& account = found->second;
  if (!account.has_answered) account.acknowledged = newest_ + 1;
  account.has_answered = true;
  account.is_introduced |= acknowledged > account.gone_before;
  account.acknowledged = std::clamp(acknowledged, account.acknowledged, newest_ + 1);
  account.settled = std::max(account.settled, account.acknowledged);
  settle(account, missing, now);
  forgetTheSettled();
}

// What stands before something missing is there, or is missing itself.
void LossLedger::settle(Account& account, const std::vector<int64_t>& missing, Time now) {
  for (const int64_t number : missing) {
    if (number < account.acknowledged || number > goneThrough()) continue;
    if (isOnItsWay(number, now)) return;
    lose(number);
    account.settled = std::max(account.settled, number + 1);
  }
}

bool LossLedger::isOnItsWay(int64_t number, Time now) const {
  const auto again = sent_again_.find(number);
  return again != sent_again_.end() && now < again->second + kMoment;
}

LossLedger::Range LossLedger::toName(const Range& held, const Guid& destination, Time now) const {
  const std::lock_guard lock(mutex_);
  int64_t first = held.first;
  bool is_somebody_new = false;
  for (const auto& [reader, account] : readers_) {
    if (!destination.isUnknown() && !reader.samePrefix(destination)) continue;
    // One that answers will introduce itself, however late it has found the writer.
    is_somebody_new |=
        !account.is_introduced && (account.has_answered || now < account.since + kIntroduction);
    if (account.has_answered && account.settled <= goneThrough())
      first = std::min(first, account.settled);
  }
  if (is_somebody_new) first = held.first;
  return {first, std::max(std::min(held.last, sent_), first - 1)};
}

uint64_t LossLedger::lostCount() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void LossLedger::lose(int64_t number) {
  if (lost_numbers_.size() >= size_t{kMostRemembered}) {
    if (number < *lost_numbers_.begin()) return;
    lost_numbers_.erase(lost_numbers_.begin());
  }
  if (lost_numbers_.insert(number).second) ++lost_;
}

void LossLedger::forgetTheSettled() {
  int64_t acknowledged_by_all = newest_ + 1;
  for (const auto& [reader, account] : readers_)
    if (account.has_answered)
      acknowledged_by_all = std::min(acknowledged_by_all, account.acknowledged);
  lost_numbers_.erase(lost_numbers_.begin(), lost_numbers_.lower_bound(acknowledged_by_all));
  sent_again_.erase(sent_again_.begin(), sent_again_.lower_bound(acknowledged_by_all));
}

}  // namespace gs_ros2
