// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/mcap_chunk.hpp"
#include "gs/formats/mcap_encode.hpp"
#include "gs/formats/testing/small_log.hpp"

// Logs that a crash, a bad disk or a bad copy left behind: what is whole is delivered.
namespace gs {
namespace {

using testing::logOf;
using testing::TestMessage;
using testing::testMessages;

struct Outcome {
  std::vector<TestMessage> messages;
  std::vector<McapProblem> problems;
};

Outcome readDamaged(const std::string& log) {
  Outcome outcome;
  const LogReader reader(
      openMemory(asBytes(log), "log"),
      {.on_problem = [&](const McapProblem& problem) { outcome.problems.push_back(problem); }});
  outcome.messages = testing::messagesOf(reader);
  const size_t told = outcome.problems.size();
  EXPECT_EQ(testing::messagesOf(reader), outcome.messages);
  EXPECT_EQ(outcome.problems.size(), told) << "a problem was told twice";
  return outcome;
}

// Offsets at which a top-level record of a sound log begins, and the log's end.
std::vector<size_t> recordOffsets(const std::string& log) {
  std::vector<size_t> offsets;
  size_t at = kMcapMagic.size();
  while (at + kMcapMagic.size() < log.size()) {
    offsets.push_back(at);
    uint64_t length = 0;
    std::memcpy(&length, log.data() + at + 1, sizeof length);
    at += kMcapRecordHead + length;
  }
  offsets.push_back(log.size());
  return offsets;
}

// How many messages a log holds up to `end`, whole records only.
size_t messagesBefore(const std::string& log, size_t end) {
  size_t count = 0;
  for (const size_t at : recordOffsets(log)) {
    if (at >= log.size()) break;
    ByteCursor cursor(asBytes(log).subspan(at));
    const auto record = takeMcapRecord(cursor);
    if (!record || log.size() - cursor.left() > end) break;
    if (record->is(McapOpcode::Message)) ++count;
    if (!record->is(McapOpcode::Chunk)) continue;
    ScratchBuffer buffer;
    Bytes records;
    EXPECT_EQ(unpackMcapChunk(*parseMcapChunk(record->body), buffer, records), "");
    for (ByteCursor inner(records); inner.left() > 0;)
      count += takeMcapRecord(inner)->is(McapOpcode::Message) ? 1 : 0;
  }
  return count;
}

std::vector<std::string> smallLogs(const testing::TempDir& dir) {
  std::vector<std::string> logs;
  for (const auto compression :
       {McapCompression::None, McapCompression::Lz4, McapCompression::Zstd})
    logs.push_back(logOf(dir / "log.mcap", testMessages(40),
                         {.compression = compression, .chunk_bytes = 300}));
  logs.push_back(logOf(dir / "log.mcap", testMessages(40), {.chunk_bytes = 0}));
  return logs;
}

bool areAmong(const std::vector<TestMessage>& some, const std::vector<TestMessage>& all) {
  return std::all_of(some.begin(), some.end(), [&](const TestMessage& message) {
    return std::find(all.begin(), all.end(), message) != all.end();
  });
}

TEST(DamagedLog, CutAnywhereItGivesAllMessagesBeforeTheCut) {
  const testing::TempDir dir;
  const auto written = testMessages(40);
  for (const std::string& log : smallLogs(dir)) {
    for (size_t size = kMcapMagic.size(); size < log.size(); size += 3) {
      const Outcome outcome = readDamaged(log.substr(0, size));
      EXPECT_FALSE(outcome.problems.empty()) << size;
      EXPECT_GE(outcome.messages.size(), messagesBefore(log, size)) << size;
      EXPECT_LE(outcome.messages.size(), written.size()) << size;
      EXPECT_TRUE(areAmong(outcome.messages, written)) << size;
    }
  }
}

TEST(DamagedLog, CutAtARecordItEndsWithoutLoss) {
  const testing::TempDir dir;
  for (const std::string& log : smallLogs(dir)) {
    for (const size_t offset : recordOffsets(log)) {
      if (offset == log.size()) break;
      const Outcome outcome = readDamaged(log.substr(0, offset));
      EXPECT_EQ(outcome.messages.size(), messagesBefore(log, offset));
      ASSERT_EQ(outcome.problems.size(), 1U);
      EXPECT_EQ(outcome.problems[0].offset, offset);
      EXPECT_EQ(outcome.problems[0].lost_bytes, 0U);
    }
  }
}

// Pictures do not compress: a compressor stores them as they are, and between its own bytes stand
// whole records that must not be taken for messages.
TEST(DamagedLog, ACutChunkOfPicturesGivesNoHalfMessages) {
  const testing::TempDir dir;
  auto messages = testMessages(30);
  Rng rng(3);
  for (auto& message : messages) {
    message.data.resize(50'000);
    for (char& byte : message.data) byte = static_cast<char>(rng.below(256));
  }
  for (const auto compression : {McapCompression::Zstd, McapCompression::Lz4}) {
    const std::string log =
        logOf(dir / "log.mcap", messages, {.compression = compression, .chunk_bytes = 500'000});
    for (const size_t cut : {size_t{300'000}, size_t{1'300'000}}) {
      const Outcome outcome = readDamaged(log.substr(0, cut));
      const size_t whole = messagesBefore(log, cut);
      EXPECT_EQ(outcome.messages,
                std::vector(messages.begin(), messages.begin() + static_cast<ptrdiff_t>(whole)));
      EXPECT_EQ(outcome.problems.size(), 1U);
    }
  }
}

TEST(DamagedLog, AFlippedByteLosesAtMostItsSurroundings) {
  const testing::TempDir dir;
  const auto written = testMessages(40);
  const auto logs = smallLogs(dir);
  for (size_t kind = 0; kind < logs.size(); ++kind) {
    const bool is_chunked = kind < 3;
    for (size_t at = 0; at < logs[kind].size(); at += 3) {
      std::string log = logs[kind];
      log[at] = static_cast<char>(log[at] ^ 0x10);
      const Outcome outcome = readDamaged(log);
      EXPECT_LE(outcome.messages.size(), written.size()) << kind << " at " << at;
      if (!is_chunked) continue;
      EXPECT_GE(outcome.messages.size() + 12, written.size()) << kind << " at " << at;
      EXPECT_TRUE(outcome.messages.size() == written.size() || !outcome.problems.empty()) << at;
    }
  }
}

TEST(DamagedLog, GarbageInTheMiddleIsSteppedOver) {
  const testing::TempDir dir;
  const auto written = testMessages(40);
  for (std::string log : smallLogs(dir)) {
    const auto offsets = recordOffsets(log);
    log.resize(offsets[offsets.size() - 3]);  // without footer, so that the index is of no use
    const size_t at = offsets[offsets.size() / 3];
    const Outcome outcome =
        readDamaged(log.substr(0, at) + std::string(1000, '\xA5') + log.substr(at));
    EXPECT_TRUE(areAmong(written, outcome.messages));
    ASSERT_FALSE(outcome.problems.empty());
    EXPECT_EQ(outcome.problems[0].offset, at);
    EXPECT_GE(outcome.problems[0].lost_bytes, 1000U);
  }
}

TEST(DamagedLog, AChunkWithAWrongCrcIsLostAloneAndNamed) {
  const testing::TempDir dir;
  const std::string log = smallLogs(dir)[0];
  std::string damaged = log;
  const size_t at = damaged.find("message 20");
  damaged[at] = 'M';
  for (const bool has_index : {true, false}) {
    if (!has_index) damaged.resize(recordOffsets(log).back() - 40);
    const Outcome outcome = readDamaged(damaged);
    EXPECT_LT(outcome.messages.size(), 40U);
    EXPECT_GE(outcome.messages.size(), 28U);
    ASSERT_FALSE(outcome.problems.empty());
    EXPECT_NE(outcome.problems[0].message.find("CRC"), std::string::npos);
    EXPECT_LT(outcome.problems[0].offset, at);
    EXPECT_GT(outcome.problems[0].offset + outcome.problems[0].lost_bytes, at);
    EXPECT_THROW(testing::messagesOf(LogReader(openMemory(asBytes(damaged)), {.is_strict = true})),
                 Error);
  }
}

TEST(DamagedLog, LooseMessagesAreGuardedByTheCrcOfTheDataSection) {
  const testing::TempDir dir;
  std::string log = smallLogs(dir)[3];
  log[log.find("message 20")] = 'M';
  const Outcome outcome = readDamaged(log);
  EXPECT_EQ(outcome.messages.size(), 40U);
  ASSERT_EQ(outcome.problems.size(), 1U);
  EXPECT_NE(outcome.problems[0].message.find("CRC"), std::string::npos);
}

TEST(DamagedLog, AnUnknownCompressionOrAHugeChunkIsAProblemOfThatChunk) {
  std::string records;
  appendMcap(records, McapChannel{1, 0, "/t", "cdr", {}});
  appendMcap(records, McapMessage{.channel_id = 1, .log_time = {5}, .data = asBytes("data")});
  const McapChunk sound{.message_start_time = 5,
                        .message_end_time = 5,
                        .uncompressed_size = records.size(),
                        .records = asBytes(records)};
  McapChunk unknown = sound, huge = sound;
  unknown.compression = "brotli";
  huge.compression = "zstd";
  huge.uncompressed_size = uint64_t{1} << 60;
  std::string log(kMcapMagic);
  appendMcap(log, McapHeader{});
  for (const McapChunk& chunk : {unknown, sound, huge, sound}) appendMcap(log, chunk);
  appendMcap(log, McapDataEnd{});
  appendMcap(log, McapFooter{});
  log += kMcapMagic;
  const Outcome outcome = readDamaged(log);
  EXPECT_EQ(outcome.messages.size(), 2U);
  ASSERT_EQ(outcome.problems.size(), 2U);
  EXPECT_NE(outcome.problems[0].message.find("brotli"), std::string::npos);
  EXPECT_NE(outcome.problems[1].message.find("limit"), std::string::npos);
}

}  // namespace
}  // namespace gs
