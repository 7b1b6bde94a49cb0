// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/rtps_check.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

const std::string kPrefix = "abcdefghijkl";

std::string u16(uint32_t n) { return {static_cast<char>(n), static_cast<char>(n >> 8)}; }
std::string u32(uint32_t n) { return u16(n) + u16(n >> 16); }
std::string sequence(int64_t n) {
  return u32(static_cast<uint32_t>(n >> 32)) + u32(static_cast<uint32_t>(n));
}
std::string entity(uint32_t id) {
  std::string bytes = u32(id);
  return {bytes.rbegin(), bytes.rend()};
}

std::string message(const std::string& parts) {
  return std::string("RTPS\x02\x03\x01\x0f", 8) + kPrefix + parts;
}
std::string part(uint8_t id, uint8_t flags, const std::string& body) {
  return std::string{static_cast<char>(id), static_cast<char>(flags | 1)} +
         u16(static_cast<uint32_t>(body.size())) + body;
}

constexpr uint32_t kReader = 0x00000104, kWriter = 0x00000203;
constexpr int64_t kLastNumber = int64_t{1} << 48;

std::string data(const std::string& rest, int64_t number = 7, uint32_t writer = kWriter,
                 uint32_t to_inline_qos = 16) {
  return u16(0) + u16(to_inline_qos) + entity(kReader) + entity(writer) + sequence(number) + rest;
}
std::string parameter(uint16_t id, const std::string& value) {
  return u16(id) + u16(static_cast<uint32_t>(value.size())) + value;
}
const std::string kEnd = u32(1);
const std::string kPayload = std::string("\0\1\0\0", 4) + "1234";

bool isSound(const std::string& datagram) { return !soundRtps(gs::asBytes(datagram)).empty(); }
bool isSoundPart(uint8_t id, uint8_t flags, const std::string& body) {
  return isSound(message(part(id, flags, body)));
}

TEST(RtpsCheck, WhatNodesOfTwoVendorsSentIsSound) {
  size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(GS_RTPS_SEEDS)) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(isSound(bytes)) << file.path();
    ++count;
  }
  EXPECT_GE(count, 40u);
}

TEST(RtpsCheck, AMessageHasItsHeaderAndWholeParts) {
  EXPECT_TRUE(isSound(message("")));
  EXPECT_FALSE(isSound(""));
  EXPECT_FALSE(isSound(message("").substr(0, 19)));
  EXPECT_FALSE(isSound("X" + message("").substr(1)));
  EXPECT_FALSE(isSound(std::string("RTPS\x01", 5) + message("").substr(5)));  // version 1
  const std::string heartbeat =
      part(0x07, 0, entity(kReader) + entity(kWriter) + sequence(1) + sequence(2) + u32(1));
  EXPECT_TRUE(isSound(message(heartbeat + heartbeat)));
  for (size_t cut = 1; cut < heartbeat.size(); ++cut)
    EXPECT_FALSE(isSound(message(heartbeat + heartbeat.substr(0, cut)))) << cut;
}

TEST(RtpsCheck, DataFillsItsPart) {
  EXPECT_TRUE(isSoundPart(0x15, 4, data(kPayload)));
  EXPECT_TRUE(isSoundPart(0x15, 6, data(parameter(0x70, "0123456789abcdef") + kEnd + kPayload)));
  EXPECT_TRUE(isSoundPart(0x15, 2, data(kEnd)));
  EXPECT_FALSE(isSoundPart(0x15, 4, data("")));
  EXPECT_FALSE(isSoundPart(0x15, 12, data(kPayload)));                           // data and key
  EXPECT_FALSE(isSoundPart(0x15, 6, data(parameter(0x70, "1234") + kPayload)));  // no end
  EXPECT_FALSE(isSoundPart(0x15, 6, data(u16(0x70) + u16(0xfffc) + kPayload)));
  // An offset beyond the part makes the library compute a payload of four gigabytes.
  for (const uint32_t offset : {0u, 15u, 17u, 20u, 0x7fffu, 0xffffu})
    EXPECT_FALSE(isSoundPart(0x15, 4, data(kPayload, 7, kWriter, offset))) << offset;
}

TEST(RtpsCheck, NumbersLeaveRoomToCountOn) {
  for (const int64_t number : {int64_t{1}, kLastNumber})
    EXPECT_TRUE(isSoundPart(0x15, 4, data(kPayload, number))) << number;
  for (const int64_t number : {int64_t{0}, int64_t{-1}, kLastNumber + 1, INT64_MAX, INT64_MIN})
    EXPECT_FALSE(isSoundPart(0x15, 4, data(kPayload, number))) << number;
  const auto heartbeat = [](int64_t first, int64_t last, uint32_t writer = kWriter) {
    return isSoundPart(
        0x07, 0, entity(kReader) + entity(writer) + sequence(first) + sequence(last) + u32(1));
  };
  EXPECT_TRUE(heartbeat(1, 0));  // nothing written yet
  EXPECT_TRUE(heartbeat(5, 9));
  EXPECT_TRUE(heartbeat(int64_t{1} << 28, kLastNumber));
  EXPECT_FALSE(heartbeat(0, 9));
  EXPECT_FALSE(heartbeat(5, 3));
  EXPECT_FALSE(heartbeat(1, INT64_MAX));
  // The library would count up to it, and hold everybody's announcements meanwhile.
  EXPECT_FALSE(heartbeat(kLastNumber, kLastNumber));
  EXPECT_FALSE(heartbeat(int64_t{1} << 28, kLastNumber, 0x000003c2));
}

std::string numbers(int64_t base, uint32_t bits, size_t words) {
  return sequence(base) + u32(bits) + std::string(4 * words, '\xff');
}

TEST(RtpsCheck, SetsHoldTheirBits) {
  const std::string who = entity(kReader) + entity(kWriter);
  EXPECT_TRUE(isSoundPart(0x06, 0, who + numbers(0, 0, 0) + u32(1)));  // a reader's first word
  EXPECT_TRUE(isSoundPart(0x06, 0, who + numbers(9, 256, 8) + u32(1)));
  EXPECT_FALSE(isSoundPart(0x06, 0, who + numbers(9, 257, 9) + u32(1)));
  EXPECT_FALSE(isSoundPart(0x06, 0, who + numbers(9, 64, 1)));
  EXPECT_FALSE(isSoundPart(0x06, 0, who + numbers(-1, 0, 0) + u32(1)));
  EXPECT_TRUE(isSoundPart(0x12, 0, who + sequence(4) + u32(1) + u32(32) + "1234" + u32(1)));
  EXPECT_FALSE(isSoundPart(0x12, 0, who + sequence(4) + u32(0) + u32(32) + "1234" + u32(1)));
  EXPECT_FALSE(isSoundPart(0x12, 0, who + sequence(4) + u32(1) + u32(320) + "1234" + u32(1)));
}

TEST(RtpsCheck, AGapHasAnEnd) {
  const std::string who = entity(kReader) + entity(kWriter);
  EXPECT_TRUE(isSoundPart(0x08, 0, who + sequence(3) + numbers(9, 8, 1)));
  EXPECT_FALSE(isSoundPart(0x08, 0, who + sequence(3) + numbers(kLastNumber, 0, 0)));
  EXPECT_FALSE(isSoundPart(0x08, 0, who + sequence(9) + numbers(3, 0, 0)));
  EXPECT_FALSE(isSoundPart(0x08, 0, who + sequence(0) + numbers(3, 0, 0)));
}

TEST(RtpsCheck, FragmentsCoverWhatTheySay) {
  struct Fragment {
    uint32_t first = 1, count = 1, bytes = 8, sample = 20;
    size_t payload = 8;
  };
  const auto sound = [](const Fragment& f) {
    return isSoundPart(0x16, 0,
                       u16(0) + u16(28) + entity(kReader) + entity(kWriter) + sequence(1) +
                           u32(f.first) + u16(f.count) + u16(f.bytes) + u32(f.sample) +
                           std::string(f.payload, 'x'));
  };
  EXPECT_TRUE(sound({}));
  EXPECT_TRUE(sound({.first = 3, .payload = 4}));  // the last one is shorter
  EXPECT_TRUE(sound({.count = 3, .payload = 20}));
  EXPECT_FALSE(sound({.payload = 4}));
  EXPECT_FALSE(sound({.first = 0}));
  EXPECT_FALSE(sound({.count = 0}));
  EXPECT_FALSE(sound({.bytes = 0}));
  EXPECT_FALSE(sound({.first = 4}));
  EXPECT_FALSE(sound({.first = 2, .count = 3, .payload = 32}));
  EXPECT_FALSE(sound({.first = 0xffffffff, .count = 2}));
  EXPECT_FALSE(sound({.sample = 0xffffffff}));  // four gigabytes, please
}

TEST(RtpsCheck, WhoAnnouncesSpeaksForItself) {
  constexpr uint32_t kParticipants = 0x000100c2, kPublications = 0x000003c2,
                     kSubscriptions = 0x000004c2;
  const auto announced = [](uint32_t writer, uint16_t id, const std::string& guid) {
    return isSoundPart(0x15, 4,
                       data(std::string("\0\3\0\0", 4) + parameter(id, guid) + kEnd, 1, writer));
  };
  EXPECT_TRUE(announced(kParticipants, 0x50, kPrefix + entity(0x1c1)));
  EXPECT_FALSE(announced(kParticipants, 0x50, "Abcdefghijkl" + entity(0x1c1)));
  EXPECT_FALSE(announced(kParticipants, 0x50, kPrefix + entity(0x1c2)));
  EXPECT_FALSE(announced(kParticipants, 0x51, kPrefix + entity(0x1c1)));  // no GUID at all
  EXPECT_TRUE(announced(kPublications, 0x5a, kPrefix + entity(kWriter)));
  EXPECT_FALSE(announced(kPublications, 0x5a, kPrefix + entity(kReader)));
  EXPECT_FALSE(announced(kPublications, 0x5a, "Abcdefghijkl" + entity(kWriter)));
  EXPECT_TRUE(announced(kSubscriptions, 0x5a, kPrefix + entity(kReader)));
  EXPECT_FALSE(announced(kSubscriptions, 0x5a, kPrefix + entity(kWriter)));
}

TEST(RtpsCheck, WordsOfAVendorAndWhatFollowsAreLeftOut) {
  const std::string known = message(part(0x15, 4, data(kPayload)));
  for (const std::string& more : {part(0x80, 0, "12"), part(0x80, 0, "1234") + part(0x0c, 0, "x")})
    EXPECT_EQ(gs::asText(soundRtps(gs::asBytes(known + more))), known);
}

TEST(RtpsCheck, NobodySpeaksForAnother) {
  EXPECT_FALSE(isSoundPart(0x0c, 0, std::string(20, 'x')));
  EXPECT_FALSE(isSoundPart(0x30, 0, std::string(20, 'x')));
}

}  // namespace
}  // namespace gs_ros2
