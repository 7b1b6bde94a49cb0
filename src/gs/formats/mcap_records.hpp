// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gs/core/bytes.hpp"
#include "gs/core/time.hpp"

// The records of an MCAP file that its users meet. Times are nanoseconds of the log's clock; MCAP
// stores them unsigned, and values beyond 2^63 are damage.
namespace gs {

struct McapSchema {
  uint16_t id = 0;       // 0 is "no schema"
  std::string name;      // "sensor_msgs/msg/PointCloud2"
  std::string encoding;  // "ros2msg"
  std::string data;      // the definition's text
  bool operator==(const McapSchema&) const = default;
};

struct McapChannel {
  uint16_t id = 0;
  uint16_t schema_id = 0;
  std::string topic;
  std::string message_encoding;  // "cdr"
  std::map<std::string, std::string> metadata;
  bool operator==(const McapChannel&) const = default;
};

struct McapMessage {
  uint16_t channel_id = 0;
  uint32_t sequence = 0;
  Stamp log_time;
  Stamp publish_time;
  Bytes data;  // valid while the callback runs
};

struct McapAttachment {
  Stamp log_time;
  Stamp create_time;
  std::string name;
  std::string media_type;
  std::string data;
  bool operator==(const McapAttachment&) const = default;
};

struct McapMetadata {
  std::string name;
  std::map<std::string, std::string> entries;
  bool operator==(const McapMetadata&) const = default;
};

enum class McapCompression { None, Lz4, Zstd };

}  // namespace gs
