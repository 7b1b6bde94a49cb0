// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_chunk.hpp"

#include "gs/formats/crc32.hpp"

namespace gs {

std::string unpackMcapChunk(const McapChunk& chunk, ScratchBuffer& buffer, Bytes& out) {
  if (chunk.uncompressed_size > kMcapMaxChunkBytes)
    return "a chunk of " + std::to_string(chunk.uncompressed_size) +
           " bytes is beyond the limit of " + std::to_string(kMcapMaxChunkBytes);
  const auto size = static_cast<size_t>(chunk.uncompressed_size);
  Bytes records;
  std::string problem;
  if (chunk.compression == "zstd") problem = decompressZstd(chunk.records, size, buffer, records);
  else if (chunk.compression == "lz4")
    problem = decompressLz4(chunk.records, size, buffer, records);
  else if (!chunk.compression.empty())
    problem = "unknown compression '" + chunk.compression.substr(0, 32) + "'";
  else if (chunk.records.size() != size)
    problem = "its records have " + std::to_string(chunk.records.size()) + " bytes where " +
              std::to_string(size) + " were promised";
  else records = chunk.records;
  if (!problem.empty()) return "chunk: " + problem;
  if (chunk.uncompressed_crc != 0 && crc32Of(records) != chunk.uncompressed_crc)
    return "chunk: its CRC is wrong";
  out = records;
  return {};
}

std::string loadMcapChunk(const ByteSource& source, uint64_t offset, uint64_t length,
                          McapBlockMemory& memory, Bytes& out) {
  if (length > kMcapMaxChunkBytes || offset > source.size() || length > source.size() - offset)
    return "chunk: " + std::to_string(length) + " bytes are beyond the limit or the file's end";
  const auto stored = memory.stored.ofSize(static_cast<size_t>(length));
  if (!source.readAt(offset, stored)) return "chunk: the file ends before it";
  ByteCursor cursor(stored);
  const auto record = takeMcapRecord(cursor);
  if (!record || !record->is(McapOpcode::Chunk) || cursor.left() != 0)
    return "there is no chunk where the index says";
  const auto chunk = parseMcapChunk(record->body);
  if (!chunk) return "chunk: its fields do not fit";
  return unpackMcapChunk(*chunk, memory.records, out);
}

}  // namespace gs
