// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gs/formats/crc32.hpp"
#include "gs/formats/mcap_encode.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/testing/small_log.hpp"

// Summaries as other writers than ours make them.
namespace gs {
namespace {

// What rosbag2 leaves when it subscribed to two topics and one of them stayed silent. libmcap puts
// a channel into its chunks and counts it with the channel's first message, but lists all channels
// in the summary.
std::string logOfLibmcap(uint32_t counted_channels) {
  const McapSchema schema{1, "std_msgs/msg/String", "ros2msg", "string data"};
  const McapChannel heard{1, 1, "/heard", "cdr", {{"topic_type_hash", ""}}};
  const McapChannel silent{2, 1, "/silent", "cdr", {{"topic_type_hash", ""}}};
  std::string records;
  appendMcap(records, schema);
  appendMcap(records, heard);
  const uint64_t message_offset = records.size();
  appendMcap(records, McapMessage{.channel_id = 1, .log_time = {5}, .data = asBytes("data")});

  std::string log(kMcapMagic);
  appendMcap(log, McapHeader{"ros2", "libmcap 1.3.1"});
  McapChunkIndex chunk{.message_start_time = 5,
                       .message_end_time = 5,
                       .chunk_start_offset = log.size(),
                       .compressed_size = records.size(),
                       .uncompressed_size = records.size()};
  appendMcap(log, McapChunk{.message_start_time = 5,
                            .message_end_time = 5,
                            .uncompressed_size = records.size(),
                            .uncompressed_crc = crc32Of(asBytes(records)),
                            .records = asBytes(records)});
  chunk.chunk_length = log.size() - chunk.chunk_start_offset;
  chunk.message_index_offsets[1] = log.size();
  appendMcap(log, McapMessageIndex{1, {{5, message_offset}}});
  chunk.message_index_length = log.size() - chunk.message_index_offsets[1];
  appendMcap(log, McapDataEnd{});

  const McapFooter footer{log.size(), 0, 0};  // no CRC, which is allowed
  appendMcap(log, schema);
  appendMcap(log, heard);
  appendMcap(log, silent);
  appendMcap(log, McapStatistics{.message_count = 1,
                                 .schema_count = 1,
                                 .channel_count = counted_channels,
                                 .chunk_count = 1,
                                 .message_start_time = 5,
                                 .message_end_time = 5,
                                 .channel_message_counts = {{1, 1}}});
  appendMcap(log, chunk);
  appendMcap(log, footer);
  return log + std::string(kMcapMagic);
}

TEST(McapSummary, ChannelsWithoutMessagesNeedNotBeCounted) {
  const std::string log = logOfLibmcap(1);
  const LogReader reader(openMemory(asBytes(log), "log"), {.is_strict = true});
  EXPECT_TRUE(reader.summary().is_indexed);
  ASSERT_EQ(reader.summary().topics.size(), 2U);
  EXPECT_EQ(reader.summary().topics[0].message_count, 1U);
  EXPECT_EQ(reader.summary().topics[1].message_count, 0U);
  EXPECT_EQ(testing::messagesOf(reader).size(), 1U);
}

TEST(McapSummary, ChannelsThatItDoesNotListMakeItUseless) {
  const std::string log = logOfLibmcap(3);
  const LogReader reader(openMemory(asBytes(log), "log"), {.is_strict = true});
  EXPECT_FALSE(reader.summary().is_indexed);
  EXPECT_EQ(testing::messagesOf(reader).size(), 1U);
}

}  // namespace
}  // namespace gs
