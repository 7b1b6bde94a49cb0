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
  // Uncompressed, before a chunk is closed. 0: no chunks and thus no index, for those who want the
  // plainest file there is.
  uint64_t chunk_bytes = uint64_t{4} << 20;
};

// Writes one log, chunked and indexed, with statistics and CRCs. Bytes reach the disk chunk by
// chunk: a process killed at any moment leaves a log that readers can recover up to the last whole
// chunk. That is why the file grows under its own name and is not renamed into place at the end as
// other files are. Each chunk repeats the schemas and channels of its messages, so that losing one
// chunk loses nothing else. The same calls give the same bytes. Throws gs::Error (OUTPUT_FAILED).
class McapWriter {
 public:
  explicit McapWriter(const std::filesystem::path& path, const McapWriterOptions& options = {});
  ~McapWriter();  // without close(): the log ends as after a kill
  McapWriter(McapWriter&&) noexcept;
  McapWriter& operator=(McapWriter&&) noexcept;

  // The same content again gives the same id.
  uint16_t addSchema(std::string name, std::string encoding, std::string data);
  // Schema id 0: messages without a schema.
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
