// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/wire_watch.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "gs_ros2/rtps_parts.hpp"

namespace gs_ros2 {
namespace {

constexpr uint32_t kMostBits = 256;  // of a set of sequence numbers
constexpr std::array<std::byte, 4> kAnyEntity{};

Guid guidOf(gs::Bytes prefix, gs::Bytes entity) {
  Guid guid;
  const auto toByte = [](std::byte byte) { return static_cast<uint8_t>(byte); };
  if (prefix.size() == kRtpsPrefixBytes && entity.size() == 4) {
    std::transform(prefix.begin(), prefix.end(), guid.bytes.begin(), toByte);
    std::transform(entity.begin(), entity.end(), guid.bytes.begin() + kRtpsPrefixBytes, toByte);
  }
  return guid;
}

// What a datagram says of one writer on behalf of one reader.
struct Answer {
  int64_t acknowledged = 0;
  std::vector<int64_t> missing;
};
using Answers = std::map<std::pair<Guid, Guid>, Answer>;  // by writer and reader

// The numbers of the set bits; the first bit of a word is its highest.
std::vector<int64_t> takeBits(RtpsCursor& cursor, int64_t base) {
  std::vector<int64_t> numbers;
  const uint32_t count = std::min(cursor.u32(), kMostBits);
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (i % 32 == 0) word = cursor.u32();
    if (word >> (31 - i % 32) & 1) numbers.push_back(base + i);
  }
  return cursor.isGood() ? numbers : std::vector<int64_t>();
}

// What a reader has a part of it asks for in a submessage of its own (NACK_FRAG), beside the one
// with all others that it lacks: only together they tell everything.
void readAnswer(const RtpsPart& part, gs::Bytes destination, Answers& answers) {
  RtpsCursor cursor = part.cursor();
  const Guid reader = guidOf(part.sender, cursor.take(4));
  const Guid writer = guidOf(destination, cursor.take(4));
  const int64_t number = cursor.sequence();
  const auto bits = part.id == kAckNack ? takeBits(cursor, number) : std::vector<int64_t>{number};
  if (!cursor.isGood()) return;
  Answer& answer = answers[{writer, reader}];
  if (part.id == kAckNack) answer.acknowledged = number;
  answer.missing.insert(answer.missing.end(), bits.begin(), bits.end());
}

// The number of a message that is in this part with its end, or 0.
int64_t endsHere(const RtpsPart& part, RtpsCursor& cursor) {
  const int64_t number = cursor.sequence();
  if (part.id == kData) return cursor.isGood() ? number : 0;
  const uint64_t first = cursor.u32();
  const uint64_t count = cursor.u16(), fragment_bytes = cursor.u16();
  const uint64_t sample_bytes = cursor.u32();
  const bool is_end = (first - 1 + count) * fragment_bytes >= sample_bytes;
  return cursor.isGood() && is_end ? number : 0;
}

void putSequence(std::byte* at, int64_t number, bool is_little_endian) {
  const auto put = [&](std::byte* to, uint32_t word) {
    for (int i = 0; i < 4; ++i)
      to[i] = static_cast<std::byte>(word >> 8 * (is_little_endian ? i : 3 - i));
  };
  put(at, static_cast<uint32_t>(static_cast<uint64_t>(number) >> 32));
  put(at + 4, static_cast<uint32_t>(number));
}

}  // namespace

void WireWatch::add(const Guid& writer, std::shared_ptr<LossLedger> ledger) {
  const std::lock_guard lock(mutex_);
  ledgers_[writer] = std::move(ledger);
}

void WireWatch::remove(const Guid& writer) {
  const std::lock_guard lock(mutex_);
  ledgers_.erase(writer);
}

std::shared_ptr<LossLedger> WireWatch::find(const Guid& writer) const {
  const std::lock_guard lock(mutex_);
  const auto found = ledgers_.find(writer);
  return found == ledgers_.end() ? nullptr : found->second;
}

Guid WireWatch::anyWriter() const {
  const std::lock_guard lock(mutex_);
  return ledgers_.empty() ? Guid{} : ledgers_.begin()->first;
}

void WireWatch::received(gs::Bytes datagram) {
  // Without a destination it is meant for whoever gets it.
  const Guid own = anyWriter();
  gs::Bytes destination = std::as_bytes(std::span(own.bytes)).first(kRtpsPrefixBytes);
  Answers answers;
  forEachRtpsPart(datagram, [&](const RtpsPart& part) {
    if (part.id == kInfoDestination) destination = part.cursor().take(kRtpsPrefixBytes);
    if (part.id == kAckNack || part.id == kNackFrag) readAnswer(part, destination, answers);
    return true;
  });
  for (auto& [ends, answer] : answers) {
    const auto ledger = find(ends.first);
    if (!ledger) continue;
    std::sort(answer.missing.begin(), answer.missing.end());
    ledger->answered(ends.second, answer.acknowledged, answer.missing,
                     std::chrono::steady_clock::now());
  }
}

gs::Bytes WireWatch::sending(gs::Bytes datagram, std::vector<std::byte>& copy) {
  constexpr size_t kFirstAt = 8, kLastAt = 16;  // in a heartbeat
  const auto now = std::chrono::steady_clock::now();
  Guid destination;  // unknown until it is said
  bool is_changed = false;
  forEachRtpsPart(datagram, [&](const RtpsPart& part) {
    if (part.id == kInfoDestination)
      destination = guidOf(part.cursor().take(kRtpsPrefixBytes), kAnyEntity);
    const bool is_data = part.id == kData || part.id == kDataFrag;
    if (!is_data && part.id != kHeartbeat) return true;
    RtpsCursor cursor = part.cursor();
    cursor.take(is_data ? 8 : 4);  // the reader, and what data has before it
    const auto ledger = find(guidOf(part.sender, cursor.take(4)));
    if (!ledger) return true;
    if (is_data) {
      if (const int64_t number = endsHere(part, cursor)) ledger->sent(number, now);
      return true;
    }
    const int64_t first = cursor.sequence();
    const LossLedger::Range held{first, cursor.sequence()};
    const LossLedger::Range named = ledger->toName(held, destination, now);
    if (!cursor.isGood() || named == held) return true;
    if (!is_changed) copy.assign(datagram.begin(), datagram.end());
    is_changed = true;
    std::byte* body = copy.data() + (part.body.data() - datagram.data());
    putSequence(body + kFirstAt, named.first, part.isLittleEndian());
    putSequence(body + kLastAt, named.last, part.isLittleEndian());
    return true;
  });
  return is_changed ? gs::Bytes(copy) : datagram;
}

}  // namespace gs_ros2
