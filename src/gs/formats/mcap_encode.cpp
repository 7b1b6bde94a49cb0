// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_encode.hpp"

#include <limits>

#include "gs/core/check.hpp"
#include "gs/formats/crc32.hpp"

namespace gs {
namespace {

// Writes the head of a record at once and its length when it goes out of scope.
class RecordScope {
 public:
  RecordScope(std::string& out, McapOpcode opcode) : out_(out) {
    appendBytes(out_, opcode);
    appendBytes(out_, uint64_t{0});
    body_ = out_.size();
  }
  ~RecordScope() {
    const uint64_t length = out_.size() - body_;
    std::memcpy(out_.data() + body_ - sizeof length, &length, sizeof length);
  }
  RecordScope(const RecordScope&) = delete;
  RecordScope& operator=(const RecordScope&) = delete;

  Bytes body() const { return asBytes(std::string_view(out_).substr(body_)); }

 private:
  std::string& out_;
  size_t body_ = 0;
};

void appendText(std::string& out, std::string_view text) {
  GS_CHECK(text.size() <= std::numeric_limits<uint32_t>::max());
  appendBytes(out, static_cast<uint32_t>(text.size()));
  out += text;
}

template <typename Map, typename AppendEntry>
void appendMap(std::string& out, const Map& map, const AppendEntry& append_entry) {
  std::string entries;
  for (const auto& [key, value] : map) append_entry(entries, key, value);
  appendText(out, entries);
}

void appendTexts(std::string& out, const std::map<std::string, std::string>& map) {
  appendMap(out, map, [](std::string& entries, const auto& key, const auto& value) {
    appendText(entries, key);
    appendText(entries, value);
  });
}

void appendNumbers(std::string& out, const std::map<uint16_t, uint64_t>& map) {
  appendMap(out, map, [](std::string& entries, uint16_t key, uint64_t value) {
    appendBytes(entries, key);
    appendBytes(entries, value);
  });
}

uint64_t unsignedNs(Stamp stamp) {
  GS_CHECK(stamp.ns >= 0);  // MCAP knows no time before the epoch
  return static_cast<uint64_t>(stamp.ns);
}

}  // namespace

void appendMcap(std::string& out, const McapHeader& header) {
  const RecordScope record(out, McapOpcode::Header);
  appendText(out, header.profile);
  appendText(out, header.library);
}

void appendMcap(std::string& out, const McapSchema& schema) {
  const RecordScope record(out, McapOpcode::Schema);
  appendBytes(out, schema.id);
  appendText(out, schema.name);
  appendText(out, schema.encoding);
  appendText(out, schema.data);
}

void appendMcap(std::string& out, const McapChannel& channel) {
  const RecordScope record(out, McapOpcode::Channel);
  appendBytes(out, channel.id);
  appendBytes(out, channel.schema_id);
  appendText(out, channel.topic);
  appendText(out, channel.message_encoding);
  appendTexts(out, channel.metadata);
}

void appendMcap(std::string& out, const McapMessage& message) {
  const RecordScope record(out, McapOpcode::Message);
  appendBytes(out, message.channel_id);
  appendBytes(out, message.sequence);
  appendBytes(out, unsignedNs(message.log_time));
  appendBytes(out, unsignedNs(message.publish_time));
  out += asText(message.data);
}

void appendMcap(std::string& out, const McapChunk& chunk) {
  const RecordScope record(out, McapOpcode::Chunk);
  appendBytes(out, chunk.message_start_time);
  appendBytes(out, chunk.message_end_time);
  appendBytes(out, chunk.uncompressed_size);
  appendBytes(out, chunk.uncompressed_crc);
  appendText(out, chunk.compression);
  appendBytes(out, uint64_t{chunk.records.size()});
  out += asText(chunk.records);
}

void appendMcap(std::string& out, const McapMessageIndex& index) {
  const RecordScope record(out, McapOpcode::MessageIndex);
  appendBytes(out, index.channel_id);
  appendBytes(out, static_cast<uint32_t>(index.records.size() * 16));
  for (const auto& [time, offset] : index.records) {
    appendBytes(out, time);
    appendBytes(out, offset);
  }
}

void appendMcap(std::string& out, const McapChunkIndex& index) {
  const RecordScope record(out, McapOpcode::ChunkIndex);
  appendBytes(out, index.message_start_time);
  appendBytes(out, index.message_end_time);
  appendBytes(out, index.chunk_start_offset);
  appendBytes(out, index.chunk_length);
  appendNumbers(out, index.message_index_offsets);
  appendBytes(out, index.message_index_length);
  appendText(out, index.compression);
  appendBytes(out, index.compressed_size);
  appendBytes(out, index.uncompressed_size);
}

void appendMcap(std::string& out, const McapAttachment& attachment) {
  const RecordScope record(out, McapOpcode::Attachment);
  appendBytes(out, unsignedNs(attachment.log_time));
  appendBytes(out, unsignedNs(attachment.create_time));
  appendText(out, attachment.name);
  appendText(out, attachment.media_type);
  appendBytes(out, uint64_t{attachment.data.size()});
  out += attachment.data;
  appendBytes(out, crc32Of(record.body()));
}

void appendMcap(std::string& out, const McapAttachmentIndex& index) {
  const RecordScope record(out, McapOpcode::AttachmentIndex);
  appendBytes(out, index.offset);
  appendBytes(out, index.length);
  appendBytes(out, index.log_time);
  appendBytes(out, index.create_time);
  appendBytes(out, index.data_size);
  appendText(out, index.name);
  appendText(out, index.media_type);
}

void appendMcap(std::string& out, const McapStatistics& statistics) {
  const RecordScope record(out, McapOpcode::Statistics);
  appendBytes(out, statistics.message_count);
  appendBytes(out, statistics.schema_count);
  appendBytes(out, statistics.channel_count);
  appendBytes(out, statistics.attachment_count);
  appendBytes(out, statistics.metadata_count);
  appendBytes(out, statistics.chunk_count);
  appendBytes(out, statistics.message_start_time);
  appendBytes(out, statistics.message_end_time);
  appendNumbers(out, statistics.channel_message_counts);
}

void appendMcap(std::string& out, const McapMetadata& metadata) {
  const RecordScope record(out, McapOpcode::Metadata);
  appendText(out, metadata.name);
  appendTexts(out, metadata.entries);
}

void appendMcap(std::string& out, const McapMetadataIndex& index) {
  const RecordScope record(out, McapOpcode::MetadataIndex);
  appendBytes(out, index.offset);
  appendBytes(out, index.length);
  appendText(out, index.name);
}

void appendMcap(std::string& out, const McapSummaryOffset& offset) {
  const RecordScope record(out, McapOpcode::SummaryOffset);
  appendBytes(out, offset.group_opcode);
  appendBytes(out, offset.group_start);
  appendBytes(out, offset.group_length);
}

void appendMcap(std::string& out, const McapDataEnd& end) {
  const RecordScope record(out, McapOpcode::DataEnd);
  appendBytes(out, end.data_section_crc);
}

void appendMcap(std::string& out, const McapFooter& footer) {
  const RecordScope record(out, McapOpcode::Footer);
  appendBytes(out, footer.summary_start);
  appendBytes(out, footer.summary_offset_start);
  appendBytes(out, footer.summary_crc);
}

}  // namespace gs
