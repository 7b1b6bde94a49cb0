// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_reader.hpp"

#include <algorithm>
#include <atomic>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/mcap_merge.hpp"
#include "gs/formats/rosbag2_metadata.hpp"
#include "gs/formats/testing/counting_source.hpp"
#include "gs/formats/testing/small_log.hpp"

namespace gs {
namespace {

using testing::CountingSource;
using testing::logOf;
using testing::messagesOf;
using testing::TestMessage;
using testing::testMessages;

ErrorCode codeOf(const std::filesystem::path& path) {
  try {
    const LogReader reader(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.report().component, "mcap_ingest");
    return error.report().code;
  }
  return ErrorCode::UsageError;
}

std::vector<TestMessage> byTime(std::vector<TestMessage> messages) {
  std::stable_sort(messages.begin(), messages.end(),
                   [](const auto& a, const auto& b) { return a.log_time < b.log_time; });
  return messages;
}

TEST(LogReader, GivesMessagesByTimeEvenWhenChunksOverlap) {
  const testing::TempDir dir;
  auto messages = testMessages(600);
  // One topic after the other, as converters write, and some ties.
  std::stable_sort(messages.begin(), messages.end(),
                   [](const auto& a, const auto& b) { return a.topic < b.topic; });
  for (auto& message : messages) message.log_time -= message.log_time % 40;
  for (const uint64_t chunk_bytes : {0, 500, 5000}) {
    logOf(dir / "log.mcap", messages, {.chunk_bytes = chunk_bytes});
    const LogReader reader(dir / "log.mcap", {.is_strict = true});
    EXPECT_EQ(messagesOf(reader), byTime(messages)) << chunk_bytes;
  }
}

TEST(LogReader, GivesOnlyTheTopicsAndTimesAskedFor) {
  const testing::TempDir dir;
  const auto messages = testMessages(300);
  const LogQuery query{.topics = {"/topic_0", "/topic_2"}, .start = {1500}, .end = {2500}};
  std::vector<TestMessage> expected;
  for (const auto& m : messages)
    if (m.topic != "/topic_1" && m.log_time >= 1500 && m.log_time <= 2500) expected.push_back(m);
  for (const uint64_t chunk_bytes : {0, 500}) {
    logOf(dir / "log.mcap", messages, {.chunk_bytes = chunk_bytes});
    EXPECT_EQ(messagesOf(LogReader(dir / "log.mcap"), query), expected);
  }
  EXPECT_TRUE(messagesOf(LogReader(dir / "log.mcap"), {.topics = {"/none"}}).empty());
}

TEST(LogReader, ReadsNoChunkWithoutAWantedTopicWhenThereIsAnIndex) {
  const testing::TempDir dir;
  std::vector<TestMessage> messages;
  for (int topic = 0; topic < 10; ++topic)
    for (int i = 0; i < 20; ++i)
      messages.push_back({"/topic_" + std::to_string(topic), 0, 1000 + 200 * topic + i,
                          std::string(10'000, static_cast<char>('a' + topic))});
  const std::string log = logOf(dir / "log.mcap", messages,
                                {.compression = McapCompression::None, .chunk_bytes = 200'000});
  std::atomic<uint64_t> count = 0;
  const LogReader reader(std::make_unique<CountingSource>(openFile(dir / "log.mcap"), count),
                         {.is_strict = true});
  count = 0;
  EXPECT_EQ(messagesOf(reader, {.topics = {"/topic_4"}}).size(), 20U);
  EXPECT_LT(count, log.size() / 10 + 20'000);
  EXPECT_GT(count, 200'000U);
}

TEST(LogReader, MemoryStaysWithinItsBudgetWhenAllChunksOverlap) {
  const testing::TempDir dir;
  // Every chunk spans the whole drive: sequence i of block b at time i * 100 + b.
  std::vector<TestMessage> messages;
  for (int block = 0; block < 8; ++block)
    for (int i = 0; i < 10; ++i)
      messages.push_back({"/topic", static_cast<uint32_t>(i), i * 100 + block,
                          std::string(1000, static_cast<char>('a' + block))});
  logOf(dir / "log.mcap", messages, {.chunk_bytes = 10'000});
  const auto source = openFile(dir / "log.mcap");
  const McapFileIndex index =
      *indexFromSummary(*source, [](uint64_t, uint64_t, const std::string&) { FAIL(); });
  EXPECT_GE(index.blocks.size(), 8U);
  std::vector<int64_t> times;
  const std::vector<McapMergeInput> inputs{
      {source.get(), &index, {false, true}, [](uint64_t, uint64_t, const std::string&) {
         FAIL();
       }}};
  mergeMcapMessages(inputs, {0}, {1'000'000}, 25'000,  // room for two of eight
                    [&](size_t, const McapMessage& m) { times.push_back(m.log_time.ns); });
  EXPECT_EQ(times.size(), messages.size());
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

TEST(LogReader, ASplitBagIsOneLog) {
  const testing::TempDir dir;
  const auto messages = testMessages(300);
  const std::vector<TestMessage> first(messages.begin(), messages.begin() + 150);
  std::vector<TestMessage> second(messages.begin() + 150, messages.end());
  logOf(dir / "b_first.mcap", first);
  std::rotate(second.begin(), second.begin() + 1, second.end());  // other channel ids
  logOf(dir / "a_second.mcap", second);
  const auto check = [&] {
    const LogReader reader(dir.path(), {.is_strict = true});
    EXPECT_EQ(messagesOf(reader), messages);
    EXPECT_EQ(reader.summary().topics.size(), 3U);
    EXPECT_EQ(reader.summary().files.size(), 2U);
    EXPECT_EQ(reader.summary().message_count, 300U);
    return reader.summary();
  };
  const LogSummary summary = check();  // without metadata.yaml: by name
  Rosbag2Metadata metadata = rosbag2MetadataOf(summary);
  writeFileAtomically(dir / "metadata.yaml", writeRosbag2Metadata(metadata));
  EXPECT_EQ(readRosbag2Metadata(dir / "metadata.yaml"), metadata);
  std::reverse(metadata.relative_file_paths.begin(), metadata.relative_file_paths.end());
  writeFileAtomically(dir / "metadata.yaml", writeRosbag2Metadata(metadata));
  EXPECT_EQ(check().files.front().filename(), "b_first.mcap");
}

TEST(LogReader, AFileMissingFromABagIsAProblemNotTheEnd) {
  const testing::TempDir dir;
  logOf(dir / "a.mcap", testMessages(10));
  Rosbag2Metadata metadata;
  metadata.relative_file_paths = {"a.mcap", "gone.mcap"};
  writeFileAtomically(dir / "metadata.yaml", writeRosbag2Metadata(metadata));
  std::vector<McapProblem> problems;
  const LogReader reader(dir.path(),
                         {.on_problem = [&](const McapProblem& p) { problems.push_back(p); }});
  EXPECT_EQ(messagesOf(reader).size(), 10U);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].file.find("gone.mcap"), std::string::npos);
}

TEST(LogReader, WhatIsNoLogAtAllIsAnError) {
  const testing::TempDir dir;
  EXPECT_EQ(codeOf(dir / "missing.mcap"), ErrorCode::McapReadError);
  EXPECT_EQ(codeOf(dir.path()), ErrorCode::McapReadError);
  writeFileAtomically(dir / "text.mcap", "this is some text");
  EXPECT_EQ(codeOf(dir / "text.mcap"), ErrorCode::McapReadError);
  writeFileAtomically(dir / "empty.mcap", "");
  EXPECT_EQ(codeOf(dir / "empty.mcap"), ErrorCode::McapReadError);
  writeFileAtomically(dir / "metadata.yaml",
                      "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: mcap\n"
                      "  relative_file_paths: [../outside.mcap]\n");
  EXPECT_EQ(codeOf(dir.path()), ErrorCode::McapReadError);
  for (const char* wrong : {"version: 5\n  storage_identifier: sqlite3", "version: 10",
                            "version: 5\n  storage_identifier: mcap\n  compression_mode: FILE"}) {
    writeFileAtomically(dir / "metadata.yaml",
                        "rosbag2_bagfile_information:\n  " + std::string(wrong) + "\n");
    EXPECT_EQ(codeOf(dir.path()), ErrorCode::McapReadError);
  }
}

std::string suggestionFor(const std::filesystem::path& path) {
  try {
    const LogReader reader(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.report().message.find("at byte"), std::string::npos) << error.what();
    return error.report().suggestion;
  }
  return {};
}

TEST(LogReader, SoundLogsOfOtherKindsAreNotCalledDamaged) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "old.bag", "#ROSBAG V2.0\nand then records");
  EXPECT_NE(suggestionFor(dir / "old.bag").find("rosbags-convert --src"), std::string::npos);
  std::filesystem::create_directory(dir / "bag");
  writeFileAtomically(dir / "bag/a_0.db3", std::string("SQLite format 3\0pages", 21));
  for (const char* log : {"bag/a_0.db3", "bag"})
    EXPECT_NE(suggestionFor(dir / log).find("ros2 bag convert -i"), std::string::npos) << log;
  writeFileAtomically(
      dir / "bag/metadata.yaml",
      "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n");
  EXPECT_NE(suggestionFor(dir / "bag").find("ros2 bag convert -i"), std::string::npos);
}

}  // namespace
}  // namespace gs
