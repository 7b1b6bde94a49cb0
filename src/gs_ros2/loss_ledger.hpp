// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "gs_ros2/wire.hpp"

namespace gs_ros2 {

// What the reliable readers of one writer have missed, to the message.
//
// A message that leaves the history while a reader has not acknowledged it is not lost by that: the
// reader may have it, in a socket that it has not read for a while, and an answer may be on its
// way. Only the reader knows, and it can be asked as long as heartbeats go on to name the message:
// it acknowledges it, or asks for it. What it asks for and cannot get any more is lost. Once told
// that the message has gone it would acknowledge it like any other, and nobody would ever know.
// So heartbeats name a message until every reader has answered for it. A reader is owed what is
// written after it first answered, for only then it has found the writer. One that vanishes was
// owed nothing, and one of the best-effort kind never answers.
//
// A reader that is new must not hear of messages that have gone before it came: it would ask for
// them, and the library answers that with nothing. So a heartbeat for one participant names what
// its own readers owe, and one for everybody names no more than the history until all who are new
// have said where they begin.
//
// Messages and heartbeats stand in line in a reader's socket. It asks for a message after the
// heartbeat that named it, so the message did not come before; but one that was sent once more may
// still stand behind the heartbeat. Such a message is asked for again a moment later.
//
// Numbers are those that DDS gives to the messages of a writer, from 1. Any thread may call.
class LossLedger {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kMoment{500};
  // A datagram leaves through several sockets, one after the other, and nobody asks again so soon.
  static constexpr std::chrono::milliseconds kSameSending{1};
  // Whoever has not said a word by then is taken for one of the best-effort kind.
  static constexpr std::chrono::milliseconds kIntroduction{2000};

  // `depth`: how many messages the writer keeps.
  explicit LossLedger(int depth) : depth_(depth) {}

  void addReader(const Guid& reader, Time now);
  void removeReader(const Guid& reader);

  // The next message is about to be written; this is the moment when the oldest has to go.
  void beforeWrite();
  void afterWrite(int64_t number);
  void writeFailed();
  // A datagram with the whole of this message, or with its end, is on its way.
  void sent(int64_t number, Time now);

  // A reader has everything before `acknowledged` (0 when it did not say) and lacks `missing`,
  // wholly or in part; in rising order.
  void answered(const Guid& reader, int64_t acknowledged, const std::vector<int64_t>& missing,
                Time now);

  struct Range {
    int64_t first, last;
    auto operator<=>(const Range&) const = default;
  };
  // What a heartbeat should name in the place of what the history holds: from the first message
  // that a reader owes an answer for, to the last that was sent. `destination` has the prefix of
  // the participant that it is for; unknown: for all.
  Range toName(const Range& held, const Guid& destination, Time now) const;

  uint64_t lostCount() const;

 private:
  struct Account {
    Time since;
    int64_t gone_before = 0;     // the last message that had gone when it came
    bool is_introduced = false;  // it knows of nothing that old
    bool has_answered = false;
    int64_t acknowledged = 0;  // everything before
    int64_t settled = 0;       // everything before: acknowledged or asked for
  };

  int64_t goneThrough() const { return newest_ - depth_; }
  bool isOnItsWay(int64_t number, Time now) const;
  void settle(Account& account, const std::vector<int64_t>& missing, Time now);
  void lose(int64_t number);
  void forgetTheSettled();

  mutable std::mutex mutex_;
  int depth_;
  int64_t newest_ = 0, sent_ = 0;
  Time sent_at_{};
  std::map<Guid, Account> readers_;
  std::map<int64_t, Time> sent_again_;  // the last time
  std::set<int64_t> lost_numbers_;      // so that a message counts once, whoever asks for it again
  uint64_t lost_ = 0;
};

}  // namespace gs_ros2
