// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_writer.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/mcap_parse.hpp"
#include "gs/formats/testing/small_log.hpp"

namespace gs {
namespace {

using testing::logOf;
using testing::messagesOf;
using testing::testMessages;

constexpr McapCompression kAll[] = {McapCompression::None, McapCompression::Lz4,
                                    McapCompression::Zstd};

TEST(McapWriter, TheReaderFindsEveryMessageOfEveryKindOfContainer) {
  const testing::TempDir dir;
  const auto messages = testMessages(500);
  for (const McapCompression compression : kAll) {
    for (const uint64_t chunk_bytes : {0, 1, 1000, 1 << 20}) {
      logOf(dir / "log.mcap", messages, {.compression = compression, .chunk_bytes = chunk_bytes});
      const LogReader reader(dir / "log.mcap", {.is_strict = true});
      EXPECT_EQ(messagesOf(reader), messages);
      EXPECT_EQ(reader.summary().is_indexed, chunk_bytes > 0);
      EXPECT_EQ(reader.summary().message_count, 500U);
      EXPECT_EQ(reader.summary().start, Stamp{1000});
      EXPECT_EQ(reader.summary().end, Stamp{1000 + 4990});
      ASSERT_EQ(reader.summary().topics.size(), 3U);
      EXPECT_EQ(reader.summary().topics[0].message_count, 167U);
      EXPECT_EQ(reader.summary().topics[1].type, "test_msgs/msg/Oftopic_1");
      EXPECT_EQ(reader.summary().topics[1].schema_text, "string data # /topic_1");
    }
  }
}

TEST(McapWriter, WritesRecordsWhoseCrcsAndOffsetsHold) {
  const testing::TempDir dir;
  McapWriter writer(dir / "log.mcap", {.chunk_bytes = 300});
  testing::writeMessages(writer, testMessages(40));
  writer.attach({{5}, {6}, "map.txt", "text/plain", "here"});
  writer.addMetadata({"vehicle", {{"name", "shuttle"}}});
  writer.close();
  const auto source = openFile(dir / "log.mcap");
  std::string all(source->size(), '\0');
  source->readAt(0, std::as_writable_bytes(std::span(all)));
  const auto opcodeAt = [&all](uint64_t offset) { return static_cast<McapOpcode>(all[offset]); };
  size_t chunks = 0, messages = 0;
  visitMcapRecords(*source, [&](const McapRecord& record) {  // throws when a CRC is wrong
    messages += std::holds_alternative<McapMessage>(record) ? 1 : 0;
    if (const auto* index = std::get_if<McapChunkIndex>(&record)) {
      ++chunks;
      EXPECT_EQ(opcodeAt(index->chunk_start_offset), McapOpcode::Chunk);
      for (const auto& [channel, offset] : index->message_index_offsets)
        EXPECT_EQ(opcodeAt(offset), McapOpcode::MessageIndex);
    }
    if (const auto* index = std::get_if<McapAttachmentIndex>(&record)) {
      EXPECT_EQ(opcodeAt(index->offset), McapOpcode::Attachment);
    }
    if (const auto* index = std::get_if<McapMetadataIndex>(&record)) {
      EXPECT_EQ(opcodeAt(index->offset), McapOpcode::Metadata);
    }
    if (const auto* group = std::get_if<McapSummaryOffset>(&record)) {
      EXPECT_EQ(opcodeAt(group->group_start), static_cast<McapOpcode>(group->group_opcode));
    }
  });
  EXPECT_GT(chunks, 3U);
  EXPECT_EQ(messages, 40U);
  const LogReader reader(dir / "log.mcap", {.is_strict = true});
  ASSERT_EQ(reader.summary().attachments.size(), 1U);
  EXPECT_EQ(reader.summary().attachments[0].data, "here");
  ASSERT_EQ(reader.summary().metadata.size(), 1U);
  EXPECT_EQ(reader.summary().metadata[0].entries.at("name"), "shuttle");
}

TEST(McapWriter, TheSameCallsGiveTheSameBytes) {
  const testing::TempDir dir;
  for (const McapCompression compression : kAll) {
    const McapWriterOptions options{.compression = compression, .chunk_bytes = 2000};
    EXPECT_EQ(logOf(dir / "a.mcap", testMessages(300), options),
              logOf(dir / "b.mcap", testMessages(300), options));
  }
}

TEST(McapWriter, AnEmptyLogIsALog) {
  const testing::TempDir dir;
  logOf(dir / "log.mcap", {});
  const LogReader reader(dir / "log.mcap", {.is_strict = true});
  EXPECT_EQ(reader.summary().message_count, 0U);
  EXPECT_EQ(reader.summary().start, reader.summary().end);
  EXPECT_TRUE(messagesOf(reader).empty());
}

TEST(McapWriter, AKilledWriterLeavesALogWithAllWholeChunks) {
  const testing::TempDir dir;
  const auto messages = testMessages(1000);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    McapWriter writer(dir / "log.mcap", {.chunk_bytes = 1000});
    testing::writeMessages(writer, messages);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  std::vector<McapProblem> problems;
  const LogReader reader(dir / "log.mcap",
                         {.on_problem = [&](const McapProblem& p) { problems.push_back(p); }});
  const auto found = messagesOf(reader);
  ASSERT_EQ(problems.size(), 1U);  // told that the end is missing
  EXPECT_EQ(problems[0].lost_bytes, 0U);
  EXPECT_GE(found.size(), 970U);
  EXPECT_TRUE(std::equal(found.begin(), found.end(), messages.begin()));
}

TEST(McapWriter, SaysWhichFileCannotBeWritten) {
  const testing::TempDir dir;
  try {
    const McapWriter writer(dir / "no/such/folder.mcap");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::OutputFailed);
    EXPECT_NE(std::string(error.what()).find("folder.mcap"), std::string::npos);
  }
}

}  // namespace
}  // namespace gs
