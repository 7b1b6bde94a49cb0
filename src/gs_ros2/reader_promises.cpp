// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/reader_promises.hpp"

#include <algorithm>
#include <optional>

#include "gs_ros2/rtps_parts.hpp"

namespace gs_ros2 {
namespace {

// More readers than any graph has; beyond, the memory of all of them is not worth keeping.
constexpr size_t kMostReaders = 20'000;
constexpr uint32_t kBestEffort = 1;  // what a reader asks for that does not say

struct Announcement {
  gs::Bytes guid;
  uint32_t reliability = kBestEffort;
  bool is_farewell = false;
};

// What a part says of a reader, if it does.
std::optional<Announcement> announcementIn(const RtpsPart& part) {
  constexpr uint8_t kHasQos = 2, kHasData = 4;
  if (part.id != kData) return std::nullopt;
  RtpsCursor cursor = part.cursor();
  cursor.take(8);  // flags, an offset, the reader of announcements
  if (cursor.entity() != kSubscriptionsWriter) return std::nullopt;
  cursor.sequence();
  Announcement found{.guid = {}, .is_farewell = !part.has(kHasData)};
  if (part.has(kHasQos))
    forEachRtpsParameter(cursor, [&](uint16_t id, gs::Bytes value) {
      if (id == kKeyHash && found.is_farewell) found.guid = value;
      return true;
    });
  if (!found.is_farewell) {
    const gs::Bytes payload = cursor.takeRest();
    if (payload.size() < 4) return std::nullopt;
    const bool is_little_endian = payload[1] == std::byte{3};
    RtpsCursor list(payload.subspan(4), is_little_endian);
    forEachRtpsParameter(list, [&](uint16_t id, gs::Bytes value) {
      if (id == kEndpointGuid) found.guid = value;
      if (id == kReliability) found.reliability = RtpsCursor(value, is_little_endian).u32();
      return true;
    });
  }
  return found.guid.size() == 16 ? std::optional(found) : std::nullopt;
}

}  // namespace

bool ReaderPromises::areKept(gs::Bytes datagram) {
  return forEachRtpsPart(datagram, [this](const RtpsPart& part) {
    const auto said = announcementIn(part);
    if (!said) return true;
    Name reader;
    std::copy(said->guid.begin(), said->guid.end(), reader.begin());
    const std::lock_guard lock(mutex_);
    if (!said->is_farewell) return isKept(reader, said->reliability);
    reliability_.erase(reader);
    return true;
  });
}

bool ReaderPromises::isKept(const Name& reader, uint32_t reliability) {
  if (reliability_.size() >= kMostReaders) reliability_.clear();
  return reliability_.insert({reader, reliability}).first->second == reliability;
}

}  // namespace gs_ros2
