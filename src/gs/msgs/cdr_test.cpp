// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/cdr.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "gs/msgs/all_messages.hpp"
#include "gs/msgs/testing/random_message.hpp"

namespace gs {
namespace {

std::string toHex(Bytes bytes) {
  std::string hex;
  for (const std::byte byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(byte));
    hex += digits;
  }
  return hex;
}

std::vector<std::byte> fromHex(std::string_view hex) {
  std::vector<std::byte> bytes;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

TEST(Cdr, StringMatchesTheBytesThatFourOtherStacksReceived) {
  EXPECT_EQ(toHex(encodeCdr(msgs::String{.data = "hello 0"})), "000100000800000068656c6c6f203000");
}

TEST(Cdr, HeaderMatchesTheBytesRosWrites) {
  const msgs::Header header{.stamp = {1, 2}, .frame_id = "map"};
  EXPECT_EQ(toHex(encodeCdr(header)), "000100000100000002000000040000006d617000");
}

TEST(Cdr, DiscoveryInfoMatchesTheBytesThatCycloneRead) {
  const std::string hex =
      "00010000"
      "010f78fd3d3c0a7c00000000000001c101000000020000002f000000"
      "0400000073696d000000000001000000010f78fd3d3c0a7c0000000000000203";
  const auto info = findCdr<msgs::ParticipantEntitiesInfo>(fromHex(hex));
  ASSERT_TRUE(info);
  ASSERT_EQ(info->node_entities_info_seq.size(), 1u);
  EXPECT_EQ(info->node_entities_info_seq[0].node_name, "sim");
  EXPECT_EQ(info->node_entities_info_seq[0].writer_gid_seq[0].data[15], 3);
  EXPECT_EQ(toHex(encodeCdr(*info)), hex);
}

TEST(Cdr, AnEmptyMessageIsOneZeroByte) {
  EXPECT_EQ(toHex(encodeCdr(msgs::TriggerRequest{})), "0001000000");
  EXPECT_TRUE(findCdr<msgs::TriggerRequest>(fromHex("0001000000")));
  EXPECT_TRUE(findCdr<msgs::TriggerRequest>(fromHex("00010000")));
}

TEST(Cdr, AnEmptyListOfDoublesAddsNoPadding) {
  msgs::ParameterValue value;
  value.string_array_value = {"a"};
  EXPECT_EQ(toHex(encodeCdr(value)),
            "00010000"
            "0000000000000000"  // type, bool, padding
            "0000000000000000"  // integer
            "0000000000000000"  // double
            "0100000000000000"  // "" and padding
            "00000000000000000000000000000000"
            "01000000020000006100");
}

TEST(Cdr, EveryMessageComesBackAsItWas) {
  msgs::forEachMessage([]<typename Message>() {
    SCOPED_TRACE(Message::kRosType);
    Rng rng(7);
    std::vector<std::byte> bytes;
    for (int i = 0; i < 50; ++i) {
      Message message;
      testing::fillRandomly(message, rng);
      encodeCdr(message, bytes);
      std::string why;
      const auto again = findCdr<Message>(bytes, &why);
      ASSERT_TRUE(again) << why;
      EXPECT_EQ(*again, message);
    }
  });
}

TEST(Cdr, EveryCutMessageIsRefusedOrShorter) {
  msgs::forEachMessage([]<typename Message>() {
    SCOPED_TRACE(Message::kRosType);
    Rng rng(8);
    Message message;
    testing::fillRandomly(message, rng);
    const std::vector<std::byte> bytes = encodeCdr(message);
    for (size_t size = 0; size < bytes.size(); ++size) {
      std::string why;
      const auto cut = findCdr<Message>(Bytes(bytes).first(size), &why);
      EXPECT_EQ(cut.has_value(), why.empty());
    }
  });
}

TEST(Cdr, ReadsBigEndianMessages) {
  const auto header =
      findCdr<msgs::Header>(fromHex("00000000 00000001 00000002 00000004 6d617000"));
  ASSERT_TRUE(header);
  EXPECT_EQ(*header, (msgs::Header{.stamp = {1, 2}, .frame_id = "map"}));
  const auto point =
      findCdr<msgs::Point>(fromHex("00000000 3ff0000000000000 4000000000000000 bff0000000000000"));
  ASSERT_TRUE(point);
  EXPECT_EQ(*point, (msgs::Point{1, 2, -1}));
}

TEST(Cdr, IgnoresOptionsAndTrailingBytes) {
  const auto clock = findCdr<msgs::Clock>(fromHex("00010002 01000000 02000000 ffff"));
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->clock.nanosec, 2u);
}

TEST(Cdr, ReadsTextsWithoutTheirNul) {
  EXPECT_EQ(findCdr<msgs::String>(fromHex("00010000 00000000"))->data, "");
  EXPECT_EQ(findCdr<msgs::String>(fromHex("00010000 01000000 00"))->data, "");
  EXPECT_EQ(findCdr<msgs::String>(fromHex("00010000 02000000 6162"))->data, "ab");
}

TEST(Cdr, AnyByteButZeroIsTrue) {
  EXPECT_TRUE(findCdr<msgs::SetBoolRequest>(fromHex("00010000 ff"))->data);
  EXPECT_FALSE(findCdr<msgs::SetBoolRequest>(fromHex("00010000 00"))->data);
}

template <typename T>
std::string whyNot(std::string_view hex) {
  std::string why;
  EXPECT_FALSE(findCdr<T>(fromHex(hex), &why));
  return why;
}

TEST(Cdr, SaysWhichFieldTheMessageEndsIn) {
  EXPECT_EQ(whyNot<msgs::Header>("00010000 01000000"), "stamp.nanosec: the message ends here");
  EXPECT_EQ(whyNot<msgs::TFMessage>("00010000 01000000 00000000 00000000 ffffffff"
                                    "000000000000000000000000000000000000000000000000000000000000"
                                    "000000000000000000000000000000000000000000000000000000000000"),
            "transforms[0].header.frame_id: a text is longer than the message");
}

TEST(Cdr, RefusesOtherEncodings) {
  EXPECT_EQ(whyNot<msgs::Clock>("0001"), "it is shorter than its header");
  EXPECT_EQ(whyNot<msgs::Clock>("00070000 0000000000000000"), "its encoding is not plain CDR");
  EXPECT_EQ(whyNot<msgs::Clock>("0b010000 0000000000000000"), "its encoding is not plain CDR");
}

TEST(Cdr, RefusesCountsThatTheBytesCannotHold) {
  EXPECT_EQ(whyNot<msgs::TFMessage>("00010000 ffffffff 00000000"),
            "transforms: a list has more elements than the message has bytes for");
}

TEST(Cdr, RefusesMoreThanATypeAllows) {
  msgs::NodeEntitiesInfo info;
  info.node_name = std::string(257, 'n');
  EXPECT_FALSE(findCdr<msgs::NodeEntitiesInfo>(encodeCdr(info)));
  info.node_name = std::string(256, 'n');
  EXPECT_TRUE(findCdr<msgs::NodeEntitiesInfo>(encodeCdr(info)));
}

TEST(Cdr, NamesTheSourceOfADamagedMessage) {
  try {
    decodeCdr<msgs::Clock>(fromHex("00010000"), "/clock");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().message,
              "'/clock' is not a sound message: clock.sec: the message ends here");
  }
}

}  // namespace
}  // namespace gs
