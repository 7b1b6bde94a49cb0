// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gs/formats/mcap_records.hpp"

// The record layer of MCAP (mcap.dev/spec): bytes to plain values, nothing believed before it is
// checked. A record is an opcode, a 64-bit length and that many bytes; bytes behind the known
// fields are for future versions and are skipped, as are unknown opcodes.
namespace gs {

enum class McapOpcode : uint8_t {
  Header = 0x01,
  Footer = 0x02,
  Schema = 0x03,
  Channel = 0x04,
  Message = 0x05,
  Chunk = 0x06,
  MessageIndex = 0x07,
  ChunkIndex = 0x08,
  Attachment = 0x09,
  AttachmentIndex = 0x0A,
  Statistics = 0x0B,
  Metadata = 0x0C,
  MetadataIndex = 0x0D,
  SummaryOffset = 0x0E,
  DataEnd = 0x0F,
};

constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);
constexpr size_t kMcapRecordHead = 9;     // opcode and length
constexpr size_t kMcapMessageHead = 22;   // of a message, before its data
constexpr size_t kMcapFooterLength = 20;  // without its record head

struct McapHeader {
  std::string profile, library;
};
struct McapFooter {
  uint64_t summary_start = 0, summary_offset_start = 0;
  uint32_t summary_crc = 0;
};
struct McapChunk {
  uint64_t message_start_time = 0, message_end_time = 0;
  uint64_t uncompressed_size = 0;
  uint32_t uncompressed_crc = 0;  // 0: not given
  std::string compression;        // "", "lz4", "zstd"
  Bytes records;                  // as stored
};
struct McapMessageIndex {
  uint16_t channel_id = 0;
  std::vector<std::pair<uint64_t, uint64_t>> records;  // log time, offset in the chunk's records
};
struct McapChunkIndex {
  uint64_t message_start_time = 0, message_end_time = 0;
  uint64_t chunk_start_offset = 0, chunk_length = 0;
  std::map<uint16_t, uint64_t> message_index_offsets;
  uint64_t message_index_length = 0;
  std::string compression;
  uint64_t compressed_size = 0, uncompressed_size = 0;
};
struct McapAttachmentRecord {
  McapAttachment attachment;
  uint32_t crc = 0;  // 0: not given
  bool is_crc_right = true;
};
struct McapAttachmentIndex {
  uint64_t offset = 0, length = 0;
  uint64_t log_time = 0, create_time = 0, data_size = 0;
  std::string name, media_type;
};
struct McapStatistics {
  uint64_t message_count = 0;
  uint16_t schema_count = 0;
  uint32_t channel_count = 0, attachment_count = 0, metadata_count = 0, chunk_count = 0;
  uint64_t message_start_time = 0, message_end_time = 0;
  std::map<uint16_t, uint64_t> channel_message_counts;
};
struct McapMetadataIndex {
  uint64_t offset = 0, length = 0;
  std::string name;
};
struct McapSummaryOffset {
  uint8_t group_opcode = 0;
  uint64_t group_start = 0, group_length = 0;
};
struct McapDataEnd {
  uint32_t data_section_crc = 0;  // 0: not given
};
struct McapUnknown {
  uint8_t opcode = 0;
};

using McapRecord = std::variant<McapUnknown, McapHeader, McapFooter, McapSchema, McapChannel,
                                McapMessage, McapChunk, McapMessageIndex, McapChunkIndex,
                                McapAttachmentRecord, McapAttachmentIndex, McapStatistics,
                                McapMetadata, McapMetadataIndex, McapSummaryOffset, McapDataEnd>;

// One record as it lies in memory.
struct McapRawRecord {
  uint8_t opcode = 0;
  Bytes body;
  bool is(McapOpcode known) const { return opcode == static_cast<uint8_t>(known); }
};
// Nothing when fewer bytes are left than a record's head, or than its length says.
std::optional<McapRawRecord> takeMcapRecord(ByteCursor& cursor);

// The record in `body`, or nothing when its fields do not fit into it (or a time is beyond 2^63).
std::optional<McapHeader> parseMcapHeader(Bytes body);
std::optional<McapFooter> parseMcapFooter(Bytes body);
std::optional<McapSchema> parseMcapSchema(Bytes body);
std::optional<McapChannel> parseMcapChannel(Bytes body);
std::optional<McapMessage> parseMcapMessage(Bytes body);
std::optional<McapChunk> parseMcapChunk(Bytes body);
std::optional<McapMessageIndex> parseMcapMessageIndex(Bytes body);
std::optional<McapChunkIndex> parseMcapChunkIndex(Bytes body);
std::optional<McapAttachmentRecord> parseMcapAttachment(Bytes body);
std::optional<McapAttachmentIndex> parseMcapAttachmentIndex(Bytes body);
std::optional<McapStatistics> parseMcapStatistics(Bytes body);
std::optional<McapMetadata> parseMcapMetadata(Bytes body);
std::optional<McapMetadataIndex> parseMcapMetadataIndex(Bytes body);
std::optional<McapSummaryOffset> parseMcapSummaryOffset(Bytes body);
std::optional<McapDataEnd> parseMcapDataEnd(Bytes body);
std::optional<McapRecord> parseMcapRecord(const McapRawRecord& record);

// Every record of a file in its order; behind a chunk come the records inside it. Bytes in a record
// are valid while the callback runs. Checks every CRC there is. Throws MCAP_READ_ERROR at the first
// thing that is not as the specification says: for tools and tests; drive logs are read by
// LogReader.
void visitMcapRecords(const ByteSource& source,
                      const std::function<void(const McapRecord&)>& visit);

}  // namespace gs
