// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "gs/formats/mcap_records.hpp"

namespace gs {

struct McapWriterOptions {
  std::string profile = "ros2";
  McapCompression compression = McapCompression::Zstd;
  int compression_level = 1;
  uint64_t chunk_bytes = uint64_t{4} << 20;  // uncompressed, before a chunk is closed
};

// Writes one log, chunked and indexed, with statistics and CRCs. Bytes reach the disk chunk by
// chunk: a process killed at any moment leaves a log that readers can recover up to the last whole
// chunk. The same calls give the same bytes. Throws gs::Error (OUTPUT_FAILED).
class McapWriter {
 public:
  McapWriter(const std::filesystem::path& path, const McapWriterOptions& options = {});
  ~McapWriter();  // without close(): the log ends as after a kill
  McapWriter(McapWriter&&) noexcept;
  McapWriter& operator=(McapWriter&&) noexcept;

  uint16_t addSchema(std::string name, std::string encoding, std::string data);
  uint16_t addChannel(uint16_t schema_id, std::string topic, std::string message_encoding,
                      std::map<std::string, std::string> metadata = {});
  void write(const McapMessage& message);
  void attach(const McapAttachment& attachment);
  void addMetadata(const McapMetadata& metadata);
  void close();  // summary, footer, magic, flush

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gs
