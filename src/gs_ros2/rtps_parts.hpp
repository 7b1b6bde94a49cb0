// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "gs/core/bytes.hpp"

// The submessages of an RTPS message (OMG DDSI-RTPS 2.3, chapter 9.4), without a copy.
namespace gs_ros2 {

constexpr size_t kRtpsHeaderBytes = 20, kRtpsPrefixBytes = 12;

enum RtpsSubmessage : uint8_t {
  kPad = 0x01,
  kAckNack = 0x06,
  kHeartbeat = 0x07,
  kGap = 0x08,
  kInfoTimestamp = 0x09,
  kInfoSource = 0x0c,
  kInfoDestination = 0x0e,
  kNackFrag = 0x12,
  kHeartbeatFrag = 0x13,
  kData = 0x15,
  kDataFrag = 0x16,
  kFirstOfSecurity = 0x30,
  kLastOfSecurity = 0x34,
  kFirstOfVendors = 0x80,
};

// Entities that every participant has, RTPS 9.3.1.3.
constexpr uint32_t kParticipant = 0x000001c1, kParticipantWriter = 0x000100c2,
                   kPublicationsWriter = 0x000003c2, kSubscriptionsWriter = 0x000004c2;

// Parameters of an announcement, RTPS 9.6.2.2.
constexpr uint16_t kSentinel = 0x01, kReliability = 0x1a, kParticipantGuid = 0x50,
                   kEndpointGuid = 0x5a, kKeyHash = 0x70;

// Reads what is there; once something was not, nothing is any more.
class RtpsCursor {
 public:
  RtpsCursor(gs::Bytes bytes, bool is_little_endian)
      : bytes_(bytes), is_little_endian_(is_little_endian) {}

  bool isGood() const { return is_good_; }
  size_t left() const { return bytes_.size() - position_; }

  gs::Bytes take(size_t count) {
    if (!is_good_ || count > left()) {
      is_good_ = false;
      return {};
    }
    position_ += count;
    return bytes_.subspan(position_ - count, count);
  }
  gs::Bytes takeRest() { return take(left()); }

  uint16_t u16() { return static_cast<uint16_t>(number(2, is_little_endian_)); }
  uint32_t u32() { return static_cast<uint32_t>(number(4, is_little_endian_)); }
  uint32_t entity() { return static_cast<uint32_t>(number(4, false)); }
  int64_t sequence() {
    const uint64_t high = u32();
    return static_cast<int64_t>(high << 32 | u32());
  }

 private:
  uint64_t number(size_t count, bool is_little_endian) {
    const gs::Bytes part = take(count);
    uint64_t value = 0;
    for (size_t i = 0; i < part.size(); ++i)
      value = value << 8 | static_cast<uint8_t>(part[is_little_endian ? part.size() - 1 - i : i]);
    return value;
  }

  gs::Bytes bytes_;
  bool is_little_endian_;
  size_t position_ = 0;
  bool is_good_ = true;
};

struct RtpsPart {
  uint8_t id = 0, flags = 0;
  gs::Bytes body;
  gs::Bytes sender;  // the prefix of the message's header

  bool isLittleEndian() const { return flags & 1; }
  bool has(uint8_t flag) const { return flags & flag; }
  RtpsCursor cursor() const { return {body, isLittleEndian()}; }
};

// Calls `use` for each submessage until it returns false. False then, and for what is no message.
template <typename Use>
bool forEachRtpsPart(gs::Bytes datagram, Use&& use) {
  constexpr uint8_t kMagic[] = {'R', 'T', 'P', 'S', 2};
  if (datagram.size() < kRtpsHeaderBytes) return false;
  for (size_t i = 0; i < sizeof kMagic; ++i)
    if (static_cast<uint8_t>(datagram[i]) != kMagic[i]) return false;
  gs::Bytes rest = datagram.subspan(kRtpsHeaderBytes);
  while (!rest.empty()) {
    if (rest.size() < 4) return false;
    RtpsPart part{
        .id = static_cast<uint8_t>(rest[0]),
        .flags = static_cast<uint8_t>(rest[1]),
        .body = {},
        .sender = datagram.subspan(kRtpsHeaderBytes - kRtpsPrefixBytes, kRtpsPrefixBytes)};
    size_t size = RtpsCursor(rest.subspan(2, 2), part.isLittleEndian()).u16();
    rest = rest.subspan(4);
    // No size means: to the end of the message, but for those two, which may be empty.
    if (size == 0 && part.id != kPad && part.id != kInfoTimestamp) size = rest.size();
    // Whatever follows is aligned to four bytes.
    if (size > rest.size() || (size % 4 != 0 && size != rest.size())) return false;
    part.body = rest.first(size);
    if (!use(part)) return false;
    rest = rest.subspan(size);
  }
  return true;
}

// Walks a parameter list to its sentinel; `look` sees each and may refuse it.
template <typename Look>
bool forEachRtpsParameter(RtpsCursor& cursor, Look&& look) {
  for (;;) {
    const uint16_t id = cursor.u16();
    const uint16_t size = cursor.u16();
    if (!cursor.isGood()) return false;
    if (id == kSentinel) return true;
    if (size % 4 != 0) return false;
    const gs::Bytes value = cursor.take(size);
    if (!cursor.isGood() || !look(id, value)) return false;
  }
}

}  // namespace gs_ros2
