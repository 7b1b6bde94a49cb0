// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gs/formats/mcap_records.hpp"

namespace gs {

// Something that could not be read. Reading goes on behind it.
struct McapProblem {
  std::string file;
  uint64_t offset = 0;      // where the damage begins
  uint64_t lost_bytes = 0;  // until the next thing that could be read
  std::string message;
};
using McapProblemCallback = std::function<void(const McapProblem&)>;

// A topic as the whole log (all files of a split bag) has it.
struct LogTopic {
  std::string name;
  std::string type;  // schema name: "sensor_msgs/msg/PointCloud2"
  std::string schema_encoding;
  std::string schema_text;
  std::string message_encoding;
  uint64_t message_count = 0;
};

struct LogSummary {
  std::vector<std::filesystem::path> files;
  std::vector<LogTopic> topics;  // sorted by name
  uint64_t message_count = 0;
  uint64_t size_bytes = 0;
  Stamp start, end;         // log times of the first and the last message; equal when there is none
  bool is_indexed = false;  // from the index; otherwise the log was read once to find out
  std::vector<McapAttachment> attachments;
  std::vector<McapMetadata> metadata;

  const LogTopic* find(const std::string& topic) const;
};

struct LogMessage {
  const LogTopic& topic;
  uint32_t sequence = 0;
  Stamp log_time;
  Stamp publish_time;
  Bytes data;  // valid while the callback runs
};

struct LogQuery {
  std::vector<std::string> topics;  // empty: all
  Stamp start{std::numeric_limits<int64_t>::min()};
  Stamp end{std::numeric_limits<int64_t>::max()};  // inclusive
};

// A drive log: one .mcap file, or a rosbag2 folder with metadata.yaml and its split files.
// Everything in a file is checked before it is believed; memory stays bounded whatever the log's
// size.
class LogReader {
 public:
  struct Options {
    bool is_strict = false;  // damage throws gs::Error (MCAP_READ_ERROR) instead of being reported
    McapProblemCallback on_problem;
  };

  // Throws MCAP_READ_ERROR when there is no log at all.
  explicit LogReader(const std::filesystem::path& path, Options options = {});
  ~LogReader();

  const LogSummary& summary() const;
  // Every message the query wants, by log time (ties in file order). Chunks that hold nothing
  // wanted are not read when the log has an index.
  void read(const LogQuery& query, const std::function<void(const LogMessage&)>& visit) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gs
