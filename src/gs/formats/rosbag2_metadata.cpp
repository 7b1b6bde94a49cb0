// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/rosbag2_metadata.hpp"

#include <algorithm>

#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/foreign_logs.hpp"

namespace gs {
namespace {

std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

uint64_t countIn(const Node* node) {
  const auto value = node == nullptr ? std::nullopt : node->findInteger();
  return value && *value > 0 ? static_cast<uint64_t>(*value) : 0;
}

int64_t nanosecondsIn(const Node* node, const char* key) {
  const Node* value = node == nullptr ? nullptr : node->find(key);
  return value == nullptr ? 0 : value->findInteger().value_or(0);
}

std::string textIn(const Node& node, const char* key) {
  const Node* value = node.find(key);
  return value == nullptr ? "" : value->findString().value_or("");
}

const std::vector<Node>& itemsIn(const Node& node, const char* key) {
  static const std::vector<Node> kNone;
  const Node* list = node.find(key);
  return list == nullptr ? kNone : list->items;
}

Rosbag2Topic topicOf(const Node& item) {
  Rosbag2Topic topic;
  if (const Node* about = item.find("topic_metadata")) {
    topic.name = textIn(*about, "name");
    topic.type = textIn(*about, "type");
    topic.serialization_format = textIn(*about, "serialization_format");
    topic.offered_qos_profiles = textIn(*about, "offered_qos_profiles");
  }
  topic.message_count = countIn(item.find("message_count"));
  return topic;
}

Rosbag2Metadata metadataOf(const Node& root) {
  Rosbag2Metadata metadata;
  metadata.version = static_cast<int>(std::min<uint64_t>(countIn(root.find("version")), 1000));
  metadata.storage_identifier = textIn(root, "storage_identifier");
  metadata.duration.ns = nanosecondsIn(root.find("duration"), "nanoseconds");
  metadata.starting_time.ns = nanosecondsIn(root.find("starting_time"), "nanoseconds_since_epoch");
  metadata.message_count = countIn(root.find("message_count"));
  for (const Node& item : itemsIn(root, "topics_with_message_count"))
    metadata.topics.push_back(topicOf(item));
  metadata.compression_format = textIn(root, "compression_format");
  metadata.compression_mode = textIn(root, "compression_mode");
  for (const Node& item : itemsIn(root, "relative_file_paths"))
    metadata.relative_file_paths.push_back(item.findString().value_or(""));
  for (const Node& item : itemsIn(root, "files"))
    metadata.files.push_back(
        {textIn(item, "path"),
         {nanosecondsIn(item.find("starting_time"), "nanoseconds_since_epoch")},
         {nanosecondsIn(item.find("duration"), "nanoseconds")},
         countIn(item.find("message_count"))});
  return metadata;
}

}  // namespace

Rosbag2Metadata rosbag2MetadataOf(const LogSummary& summary) {
  Rosbag2Metadata metadata;
  metadata.duration = summary.end - summary.start;
  metadata.starting_time = summary.start;
  metadata.message_count = summary.message_count;
  for (const LogTopic& topic : summary.topics)
    metadata.topics.push_back(
        {topic.name, topic.type, topic.message_encoding, topic.message_count, ""});
  for (const LogPart& part : summary.parts) {
    const std::string name = part.file.filename().string();
    metadata.relative_file_paths.push_back(name);
    metadata.files.push_back({name, part.start, part.end - part.start, part.message_count});
  }
  return metadata;
}

std::string writeRosbag2Metadata(const Rosbag2Metadata& metadata) {
  const auto number = [](auto value) { return std::to_string(value) + "\n"; };
  std::string out = "rosbag2_bagfile_information:\n";
  out += "  version: " + number(metadata.version);
  out += "  storage_identifier: " + metadata.storage_identifier + "\n";
  out += "  duration:\n    nanoseconds: " + number(metadata.duration.ns);
  out += "  starting_time:\n    nanoseconds_since_epoch: " + number(metadata.starting_time.ns);
  out += "  message_count: " + number(metadata.message_count);
  out += metadata.topics.empty() ? "  topics_with_message_count: []\n"
                                 : "  topics_with_message_count:\n";
  for (const Rosbag2Topic& topic : metadata.topics) {
    out += "    - topic_metadata:\n";
    out += "        name: " + inQuotes(topic.name) + "\n";
    out += "        type: " + inQuotes(topic.type) + "\n";
    out += "        serialization_format: " + inQuotes(topic.serialization_format) + "\n";
    out += "        offered_qos_profiles: " + inQuotes(topic.offered_qos_profiles) + "\n";
    out += "      message_count: " + number(topic.message_count);
  }
  out += "  compression_format: " + inQuotes(metadata.compression_format) + "\n";
  out += "  compression_mode: " + inQuotes(metadata.compression_mode) + "\n";
  out += metadata.relative_file_paths.empty() ? "  relative_file_paths: []\n"
                                              : "  relative_file_paths:\n";
  for (const std::string& path : metadata.relative_file_paths)
    out += "    - " + inQuotes(path) + "\n";
  out += metadata.files.empty() ? "  files: []\n" : "  files:\n";
  for (const Rosbag2File& file : metadata.files) {
    out += "    - path: " + inQuotes(file.path) + "\n";
    out +=
        "      starting_time:\n        nanoseconds_since_epoch: " + number(file.starting_time.ns);
    out += "      duration:\n        nanoseconds: " + number(file.duration.ns);
    out += "      message_count: " + number(file.message_count);
  }
  return out;
}

Rosbag2Metadata readRosbag2Metadata(const std::filesystem::path& path) {
  const auto fail = [&path](const std::string& what, const std::string& suggestion) {
    throw Error({.code = ErrorCode::McapReadError,
                 .component = "mcap_ingest",
                 .message = "'" + path.string() + "': " + what,
                 .details = {{"file", path.string()}, {"problem", what}},
                 .suggestion = suggestion});
  };
  std::vector<Problem> problems;
  const auto root =
      parseDocument(readTextFile(path, kMaxYamlBytes), DocumentFormat::Yaml, problems);
  const Node* bag = root ? root->find("rosbag2_bagfile_information") : nullptr;
  if (bag == nullptr)
    fail(
        problems.empty() ? "there is no 'rosbag2_bagfile_information'" : toString(problems.front()),
        "Run 'ros2 bag reindex' on the folder, or give the .mcap file itself.");
  Rosbag2Metadata metadata = metadataOf(*bag);
  if (metadata.version < 1 || metadata.version > 9)
    fail("version " + std::to_string(metadata.version) + " is not one of 1 to 9",
         "Give the .mcap file itself.");
  if (metadata.storage_identifier == "sqlite3") {
    const ForeignLog bag_of_sqlite = sqliteBag(path.parent_path().string());
    fail("this is " + bag_of_sqlite.what, bag_of_sqlite.suggestion);
  }
  if (metadata.storage_identifier != "mcap")
    fail("the bag is stored as '" + metadata.storage_identifier + "', not as MCAP",
         "Convert it: ros2 bag convert with storage_id mcap.");
  std::string mode = metadata.compression_mode;
  std::transform(mode.begin(), mode.end(), mode.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (!mode.empty() && mode != "NONE")
    fail("rosbag2 compressed this bag itself (mode " + mode + ")",
         "Convert it with compression_mode none; MCAP's own compression is read.");
  return metadata;
}

}  // namespace gs
