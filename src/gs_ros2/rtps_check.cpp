// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/rtps_check.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "gs_ros2/rtps_parts.hpp"

namespace gs_ros2 {
namespace {

constexpr size_t kPartHeaderBytes = 4;
constexpr int64_t kMaxSequence = int64_t{1} << 48;
constexpr int64_t kMaxGap = int64_t{1} << 20;
// The library counts, one by one, up to the first number that a heartbeat names. Announcements are
// few; data of a writer that has been running for a month at a hundred hertz still fits.
constexpr int64_t kMaxFirstAnnouncement = int64_t{1} << 20, kMaxFirst = int64_t{1} << 28;
constexpr uint32_t kMaxSetBits = 256;
constexpr uint32_t kMaxSampleBytes = 256u << 20;  // an image of 8K, and more than we ever ask for

bool isSequence(int64_t number) { return number >= 1 && number <= kMaxSequence; }

bool isAnnouncement(uint32_t writer) {
  return writer == kParticipantWriter || writer == kPublicationsWriter ||
         writer == kSubscriptionsWriter;
}

// Whether an entity is of the kind that this writer announces.
bool isOfKind(uint32_t entity, uint32_t announcer) {
  const uint32_t kind = entity & 0x0f;
  if (announcer == kParticipantWriter) return entity == kParticipant;
  if (announcer == kPublicationsWriter) return kind == 2 || kind == 3;
  return kind == 4 || kind == 7;
}

// What a participant says of itself or of its endpoints, it says under its own GUID.
bool isSoundAnnouncement(gs::Bytes payload, uint32_t writer, gs::Bytes sender) {
  if (payload.size() < 4) return false;
  const auto kind = static_cast<uint8_t>(payload[1]);  // 2: big endian, 3: little endian
  if (payload[0] != std::byte{0} || (kind != 2 && kind != 3)) return false;
  RtpsCursor cursor(payload.subspan(4), kind == 3);
  const uint16_t wanted = writer == kParticipantWriter ? kParticipantGuid : kEndpointGuid;
  bool has_guid = false;
  const bool is_sound = forEachRtpsParameter(cursor, [&](uint16_t id, gs::Bytes value) {
    if (id != wanted) return true;
    has_guid = true;
    if (value.size() != 16) return false;
    const uint32_t entity = RtpsCursor(value.last(4), false).entity();
    return std::equal(sender.begin(), sender.end(), value.begin()) && isOfKind(entity, writer);
  });
  return is_sound && has_guid;
}

bool isSoundData(const RtpsPart& part) {
  constexpr uint16_t kToInlineQos = 16;
  constexpr uint8_t kHasQos = 2, kHasData = 4, kHasKey = 8;
  RtpsCursor cursor = part.cursor();
  cursor.u16();  // flags of later versions
  const uint16_t to_inline_qos = cursor.u16();
  cursor.entity();  // the reader
  const uint32_t writer = cursor.entity();
  const int64_t number = cursor.sequence();
  if (!cursor.isGood() || to_inline_qos != kToInlineQos || !isSequence(number)) return false;
  if (part.has(kHasQos) && !forEachRtpsParameter(cursor, [](uint16_t, gs::Bytes) { return true; }))
    return false;
  if (part.has(kHasData) && part.has(kHasKey)) return false;
  if (!part.has(kHasData)) return !part.has(kHasKey) || cursor.left() >= 4;
  const gs::Bytes payload = cursor.takeRest();
  if (payload.size() < 4) return false;
  return !isAnnouncement(writer) || isSoundAnnouncement(payload, writer, part.sender);
}

bool isSoundFragment(const RtpsPart& part) {
  constexpr uint16_t kToInlineQos = 28;
  constexpr uint8_t kHasQos = 2, kHasKey = 4;
  RtpsCursor cursor = part.cursor();
  cursor.u16();
  const uint16_t to_inline_qos = cursor.u16();
  cursor.entity();
  const uint32_t writer = cursor.entity();
  const int64_t number = cursor.sequence();
  const uint64_t first = cursor.u32();
  const uint64_t count = cursor.u16(), fragment_bytes = cursor.u16();
  const uint64_t sample_bytes = cursor.u32();
  if (!cursor.isGood() || to_inline_qos != kToInlineQos || !isSequence(number)) return false;
  // Announcements come whole, and keys of ROS messages do not exist.
  if (part.has(kHasKey) || isAnnouncement(writer)) return false;
  if (first == 0 || count == 0 || fragment_bytes < 4 || sample_bytes > kMaxSampleBytes)
    return false;
  const uint64_t begin = (first - 1) * fragment_bytes;
  const uint64_t end = std::min(begin + count * fragment_bytes, sample_bytes);
  if (begin >= sample_bytes || begin + (count - 1) * fragment_bytes >= sample_bytes) return false;
  if (part.has(kHasQos) && !forEachRtpsParameter(cursor, [](uint16_t, gs::Bytes) { return true; }))
    return false;
  return cursor.left() >= end - begin;
}

// A base and up to 256 bits after it. The base of a set of sequence numbers, or nothing.
std::optional<int64_t> takeSet(RtpsCursor& cursor, bool is_of_fragments) {
  const int64_t base = is_of_fragments ? cursor.u32() : cursor.sequence();
  const uint32_t bits = cursor.u32();
  if (!cursor.isGood() || bits > kMaxSetBits || base > kMaxSequence) return std::nullopt;
  cursor.take((bits + 31) / 32 * 4);
  return cursor.isGood() ? std::optional(base) : std::nullopt;
}

bool isSoundAckNack(const RtpsPart& part) {
  RtpsCursor cursor = part.cursor();
  cursor.take(8);  // reader, writer
  const auto base = takeSet(cursor, false);
  cursor.u32();                                  // count
  return cursor.isGood() && base && *base >= 0;  // 0: the first word of a reader
}

bool isSoundNackFrag(const RtpsPart& part) {
  RtpsCursor cursor = part.cursor();
  cursor.take(8);
  const int64_t number = cursor.sequence();
  const auto base = takeSet(cursor, true);
  cursor.u32();
  return cursor.isGood() && isSequence(number) && base && *base >= 1;
}

bool isSoundHeartbeat(const RtpsPart& part) {
  constexpr uint32_t kIsBuiltIn = 0xc0;
  RtpsCursor cursor = part.cursor();
  cursor.entity();
  const bool is_built_in = (cursor.entity() & kIsBuiltIn) == kIsBuiltIn;
  const int64_t first = cursor.sequence(), last = cursor.sequence();
  cursor.u32();
  return cursor.isGood() && first >= 1 && last >= first - 1 && last <= kMaxSequence &&
         first <= (is_built_in ? kMaxFirstAnnouncement : kMaxFirst);
}

bool isSoundGap(const RtpsPart& part) {
  RtpsCursor cursor = part.cursor();
  cursor.take(8);
  const int64_t start = cursor.sequence();
  const auto base = takeSet(cursor, false);
  return cursor.isGood() && isSequence(start) && base && *base >= start && *base - start <= kMaxGap;
}

bool isSound(const RtpsPart& part) {
  constexpr uint8_t kIsInvalid = 2;  // of a timestamp
  switch (part.id) {
    case kData: return isSoundData(part);
    case kDataFrag: return isSoundFragment(part);
    case kAckNack: return isSoundAckNack(part);
    case kNackFrag: return isSoundNackFrag(part);
    case kHeartbeat: return isSoundHeartbeat(part);
    case kHeartbeatFrag: return part.body.size() >= 24;
    case kGap: return isSoundGap(part);
    case kInfoTimestamp: return part.has(kIsInvalid) || part.body.size() >= 8;
    case kInfoDestination: return part.body.size() >= kRtpsPrefixBytes;
    case kInfoSource: return false;
    default: return part.id < kFirstOfSecurity || part.id > kLastOfSecurity;
  }
}

}  // namespace

gs::Bytes soundRtps(gs::Bytes datagram) {
  bool is_sound = true;
  size_t end = datagram.size();
  const bool is_whole = forEachRtpsPart(datagram, [&](const RtpsPart& part) {
    if (part.id >= kFirstOfVendors) {
      end = static_cast<size_t>(part.body.data() - datagram.data()) - kPartHeaderBytes;
      return false;
    }
    is_sound = isSound(part);
    return is_sound;
  });
  const bool is_cut = end < datagram.size();
  return is_sound && (is_whole || is_cut) ? datagram.first(end) : gs::Bytes();
}

}  // namespace gs_ros2
