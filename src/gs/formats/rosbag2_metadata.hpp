// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gs/formats/mcap_reader.hpp"

// metadata.yaml of a rosbag2 folder.
namespace gs {

struct Rosbag2Topic {
  std::string name, type;
  std::string serialization_format = "cdr";
  uint64_t message_count = 0;
  std::string offered_qos_profiles;  // YAML, as rosbag2 has it; empty: a player's default
  bool operator==(const Rosbag2Topic&) const = default;
};

struct Rosbag2File {
  std::string path;  // relative to the folder
  Stamp starting_time;
  Duration duration;
  uint64_t message_count = 0;
  bool operator==(const Rosbag2File&) const = default;
};

struct Rosbag2Metadata {
  int version = 5;  // the one that Humble writes and all later ones read
  std::string storage_identifier = "mcap";
  Duration duration;
  Stamp starting_time;
  uint64_t message_count = 0;
  std::vector<Rosbag2Topic> topics;
  std::string compression_format, compression_mode;
  std::vector<std::string> relative_file_paths;
  std::vector<Rosbag2File> files;
  bool operator==(const Rosbag2Metadata&) const = default;
};

// Of the log that lies in one folder: files are named by their last path element.
Rosbag2Metadata rosbag2MetadataOf(const LogSummary& summary);

std::string writeRosbag2Metadata(const Rosbag2Metadata& metadata);

// Versions up to 9. Throws MCAP_READ_ERROR for a text that is no such file, for other storages than
// MCAP, and for bags that rosbag2 compressed itself (per file or per message, outside MCAP).
Rosbag2Metadata readRosbag2Metadata(const std::filesystem::path& path);

}  // namespace gs
