// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gs/core/file.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/mcap_writer.hpp"

// Small drive logs with known content, for tests of several files.
namespace gs::testing {

struct TestMessage {
  std::string topic;
  uint32_t sequence = 0;
  int64_t log_time = 0;
  std::string data;
  bool operator==(const TestMessage&) const = default;
};

// `count` messages on three topics, 10 ns apart; each topic has its own type.
inline std::vector<TestMessage> testMessages(size_t count) {
  std::vector<TestMessage> messages;
  for (size_t i = 0; i < count; ++i)
    messages.push_back({"/topic_" + std::to_string(i % 3), static_cast<uint32_t>(i),
                        static_cast<int64_t>(1000 + 10 * i),
                        "message " + std::to_string(i) + std::string(i % 7 * 5, 'x')});
  return messages;
}

inline uint16_t channelOf(McapWriter& writer, const std::string& topic) {
  const uint16_t schema =
      writer.addSchema("test_msgs/msg/Of" + topic.substr(1), "ros2msg", "string data # " + topic);
  return writer.addChannel(schema, topic, "cdr", {{"offered_qos_profiles", ""}});
}

inline void writeMessages(McapWriter& writer, const std::vector<TestMessage>& messages) {
  for (const TestMessage& message : messages)
    writer.write({.channel_id = channelOf(writer, message.topic),
                  .sequence = message.sequence,
                  .log_time = {message.log_time},
                  .publish_time = {message.log_time / 2},
                  .data = asBytes(message.data)});
}

// The bytes of a whole log.
inline std::string logOf(const std::filesystem::path& scratch,
                         const std::vector<TestMessage>& messages,
                         const McapWriterOptions& options = {}) {
  McapWriter writer(scratch, options);
  writeMessages(writer, messages);
  writer.close();
  return readTextFile(scratch, uint64_t{1} << 30);
}

inline std::vector<TestMessage> messagesOf(const LogReader& reader, const LogQuery& query = {}) {
  std::vector<TestMessage> messages;
  reader.read(query, [&messages](const LogMessage& message) {
    messages.push_back({message.topic.name, message.sequence, message.log_time.ns,
                        std::string(asText(message.data))});
  });
  return messages;
}

}  // namespace gs::testing
