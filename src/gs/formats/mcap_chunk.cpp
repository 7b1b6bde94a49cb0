// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_chunk.hpp"

#include <algorithm>
#include <optional>

#include "gs/formats/crc32.hpp"

namespace gs {

namespace {

// An uncompressed chunk's records begin here, and end with the record unless it is padded.
constexpr size_t kPlainRecords = kMcapRecordHead + 8 + 8 + 8 + 4 + 4 + 8;
constexpr size_t kPiece = size_t{128} << 10;

// Reads `out` and gives the CRC of what stands behind kPlainRecords. Done piece by piece, while the
// bytes are still in the cache: a second walk over a whole chunk would cost as much as reading it.
std::optional<uint32_t> readWithCrc(const ByteSource& source, uint64_t offset,
                                    std::span<std::byte> out) {
  uint32_t crc = 0;
  for (size_t at = 0; at < out.size(); at += kPiece) {
    const auto piece = out.subspan(at, std::min(kPiece, out.size() - at));
    if (!source.readAt(offset + at, piece)) return std::nullopt;
    crc = crc32Of(piece.subspan(at == 0 ? std::min(kPlainRecords, piece.size()) : 0), crc);
  }
  return crc;
}

std::string unpack(const McapChunk& chunk, std::optional<uint32_t> known_crc, ScratchBuffer& buffer,
                   Bytes& out) {
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
  if (chunk.uncompressed_crc != 0 &&
      (known_crc ? *known_crc : crc32Of(records)) != chunk.uncompressed_crc)
    return "chunk: its CRC is wrong";
  out = records;
  return {};
}

bool isPlain(const ByteSource& source, uint64_t offset) {
  uint32_t word = 1;  // the length of the compression's name
  return source.readAt(offset + kPlainRecords - 12, std::as_writable_bytes(std::span(&word, 1))) &&
         word == 0;
}

}  // namespace

std::string unpackMcapChunk(const McapChunk& chunk, ScratchBuffer& buffer, Bytes& out) {
  return unpack(chunk, std::nullopt, buffer, out);
}

std::string loadMcapChunk(const ByteSource& source, uint64_t offset, uint64_t length,
                          McapBlockMemory& memory, Bytes& out) {
  if (length > kMcapMaxChunkBytes || offset > source.size() || length > source.size() - offset)
    return "chunk: " + std::to_string(length) + " bytes are beyond the limit or the file's end";
  const auto stored = memory.stored.ofSize(static_cast<size_t>(length));
  std::optional<uint32_t> crc;
  if (isPlain(source, offset)) {
    crc = readWithCrc(source, offset, stored);
    if (!crc) return "chunk: the file ends before it";
  } else if (!source.readAt(offset, stored)) {
    return "chunk: the file ends before it";
  }
  ByteCursor cursor(stored);
  const auto record = takeMcapRecord(cursor);
  if (!record || !record->is(McapOpcode::Chunk) || cursor.left() != 0)
    return "there is no chunk where the index says";
  const auto chunk = parseMcapChunk(record->body);
  if (!chunk) return "chunk: its fields do not fit";
  if (chunk->records.size() + kPlainRecords != length) crc.reset();  // padded
  return unpack(*chunk, crc, memory.records, out);
}

}  // namespace gs
