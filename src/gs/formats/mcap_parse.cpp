// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_parse.hpp"

#include <limits>

#include "gs/formats/crc32.hpp"

namespace gs {
namespace {

// Takes fields one after the other; after the first that does not fit everything is empty and
// isGood() is false, so that a parser reads like the table in the specification.
class FieldCursor {
 public:
  explicit FieldCursor(Bytes body) : cursor_(body) {}

  bool isGood() const { return is_good_; }
  size_t left() const { return cursor_.left(); }

  template <typename T>
  T number() {
    const auto value = cursor_.take<T>();
    if (!value) is_good_ = false;
    return is_good_ ? *value : T{};
  }
  Bytes bytes(uint64_t size) {
    const auto taken =
        size <= cursor_.left() ? cursor_.take(static_cast<size_t>(size)) : std::nullopt;
    if (!taken) is_good_ = false;
    return is_good_ ? *taken : Bytes{};
  }
  std::string text() { return std::string(asText(bytes(number<uint32_t>()))); }
  Stamp stamp() {
    const auto ns = number<uint64_t>();
    if (ns > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) is_good_ = false;
    return Stamp{static_cast<int64_t>(ns)};
  }
  template <typename Key, typename Value, typename TakeKey, typename TakeValue>
  std::map<Key, Value> map(const TakeKey& take_key, const TakeValue& take_value) {
    FieldCursor entries(bytes(number<uint32_t>()));
    std::map<Key, Value> map;
    while (is_good_ && entries.left() > 0) {
      Key key = take_key(entries);
      Value value = take_value(entries);
      if (!entries.isGood()) is_good_ = false;
      else map.emplace(std::move(key), std::move(value));
    }
    return map;
  }
  std::map<std::string, std::string> texts() {
    const auto take = [](FieldCursor& entries) { return entries.text(); };
    return map<std::string, std::string>(take, take);
  }
  std::map<uint16_t, uint64_t> numbers() {
    return map<uint16_t, uint64_t>([](FieldCursor& e) { return e.number<uint16_t>(); },
                                   [](FieldCursor& e) { return e.number<uint64_t>(); });
  }

 private:
  ByteCursor cursor_;
  bool is_good_ = true;
};

template <typename T>
std::optional<T> whenGood(const FieldCursor& fields, T&& value) {
  if (!fields.isGood()) return std::nullopt;
  return std::forward<T>(value);
}

}  // namespace

std::optional<McapRawRecord> takeMcapRecord(ByteCursor& cursor) {
  ByteCursor ahead = cursor;
  const auto opcode = ahead.take<uint8_t>();
  const auto length = ahead.take<uint64_t>();
  if (!length || *length > ahead.left()) return std::nullopt;
  const McapRawRecord record{*opcode, *ahead.take(static_cast<size_t>(*length))};
  cursor = ahead;
  return record;
}

std::optional<McapHeader> parseMcapHeader(Bytes body) {
  FieldCursor fields(body);
  McapHeader header;
  header.profile = fields.text();
  header.library = fields.text();
  return whenGood(fields, std::move(header));
}

std::optional<McapFooter> parseMcapFooter(Bytes body) {
  FieldCursor fields(body);
  McapFooter footer;
  footer.summary_start = fields.number<uint64_t>();
  footer.summary_offset_start = fields.number<uint64_t>();
  footer.summary_crc = fields.number<uint32_t>();
  return whenGood(fields, std::move(footer));
}

std::optional<McapSchema> parseMcapSchema(Bytes body) {
  FieldCursor fields(body);
  McapSchema schema;
  schema.id = fields.number<uint16_t>();
  schema.name = fields.text();
  schema.encoding = fields.text();
  schema.data = fields.text();
  return whenGood(fields, std::move(schema));
}

std::optional<McapChannel> parseMcapChannel(Bytes body) {
  FieldCursor fields(body);
  McapChannel channel;
  channel.id = fields.number<uint16_t>();
  channel.schema_id = fields.number<uint16_t>();
  channel.topic = fields.text();
  channel.message_encoding = fields.text();
  channel.metadata = fields.texts();
  return whenGood(fields, std::move(channel));
}

std::optional<McapMessage> parseMcapMessage(Bytes body) {
  FieldCursor fields(body);
  McapMessage message;
  message.channel_id = fields.number<uint16_t>();
  message.sequence = fields.number<uint32_t>();
  message.log_time = fields.stamp();
  message.publish_time = fields.stamp();
  message.data = fields.bytes(fields.left());
  return whenGood(fields, std::move(message));
}

std::optional<McapChunk> parseMcapChunk(Bytes body) {
  FieldCursor fields(body);
  McapChunk chunk;
  chunk.message_start_time = fields.number<uint64_t>();
  chunk.message_end_time = fields.number<uint64_t>();
  chunk.uncompressed_size = fields.number<uint64_t>();
  chunk.uncompressed_crc = fields.number<uint32_t>();
  chunk.compression = fields.text();
  chunk.records = fields.bytes(fields.number<uint64_t>());
  return whenGood(fields, std::move(chunk));
}

std::optional<McapMessageIndex> parseMcapMessageIndex(Bytes body) {
  FieldCursor fields(body);
  McapMessageIndex index;
  index.channel_id = fields.number<uint16_t>();
  FieldCursor entries(fields.bytes(fields.number<uint32_t>()));
  while (entries.isGood() && entries.left() > 0) {
    const auto time = entries.number<uint64_t>();
    index.records.emplace_back(time, entries.number<uint64_t>());
  }
  if (!entries.isGood()) return std::nullopt;
  return whenGood(fields, std::move(index));
}

std::optional<McapChunkIndex> parseMcapChunkIndex(Bytes body) {
  FieldCursor fields(body);
  McapChunkIndex index;
  index.message_start_time = fields.number<uint64_t>();
  index.message_end_time = fields.number<uint64_t>();
  index.chunk_start_offset = fields.number<uint64_t>();
  index.chunk_length = fields.number<uint64_t>();
  index.message_index_offsets = fields.numbers();
  index.message_index_length = fields.number<uint64_t>();
  index.compression = fields.text();
  index.compressed_size = fields.number<uint64_t>();
  index.uncompressed_size = fields.number<uint64_t>();
  return whenGood(fields, std::move(index));
}

std::optional<McapAttachmentRecord> parseMcapAttachment(Bytes body) {
  FieldCursor fields(body);
  McapAttachmentRecord record;
  record.attachment.log_time = fields.stamp();
  record.attachment.create_time = fields.stamp();
  record.attachment.name = fields.text();
  record.attachment.media_type = fields.text();
  const Bytes data = fields.bytes(fields.number<uint64_t>());
  const size_t before_crc = body.size() - fields.left();
  record.crc = fields.number<uint32_t>();
  if (!fields.isGood()) return std::nullopt;
  record.is_crc_right = record.crc == 0 || record.crc == crc32Of(body.first(before_crc));
  record.attachment.data = asText(data);
  return record;
}

std::optional<McapAttachmentIndex> parseMcapAttachmentIndex(Bytes body) {
  FieldCursor fields(body);
  McapAttachmentIndex index;
  index.offset = fields.number<uint64_t>();
  index.length = fields.number<uint64_t>();
  index.log_time = fields.number<uint64_t>();
  index.create_time = fields.number<uint64_t>();
  index.data_size = fields.number<uint64_t>();
  index.name = fields.text();
  index.media_type = fields.text();
  return whenGood(fields, std::move(index));
}

std::optional<McapStatistics> parseMcapStatistics(Bytes body) {
  FieldCursor fields(body);
  McapStatistics statistics;
  statistics.message_count = fields.number<uint64_t>();
  statistics.schema_count = fields.number<uint16_t>();
  statistics.channel_count = fields.number<uint32_t>();
  statistics.attachment_count = fields.number<uint32_t>();
  statistics.metadata_count = fields.number<uint32_t>();
  statistics.chunk_count = fields.number<uint32_t>();
  statistics.message_start_time = fields.number<uint64_t>();
  statistics.message_end_time = fields.number<uint64_t>();
  statistics.channel_message_counts = fields.numbers();
  return whenGood(fields, std::move(statistics));
}

std::optional<McapMetadata> parseMcapMetadata(Bytes body) {
  FieldCursor fields(body);
  McapMetadata metadata;
  metadata.name = fields.text();
  metadata.entries = fields.texts();
  return whenGood(fields, std::move(metadata));
}

std::optional<McapMetadataIndex> parseMcapMetadataIndex(Bytes body) {
  FieldCursor fields(body);
  McapMetadataIndex index;
  index.offset = fields.number<uint64_t>();
  index.length = fields.number<uint64_t>();
  index.name = fields.text();
  return whenGood(fields, std::move(index));
}

std::optional<McapSummaryOffset> parseMcapSummaryOffset(Bytes body) {
  FieldCursor fields(body);
  McapSummaryOffset offset;
  offset.group_opcode = fields.number<uint8_t>();
  offset.group_start = fields.number<uint64_t>();
  offset.group_length = fields.number<uint64_t>();
  return whenGood(fields, std::move(offset));
}

std::optional<McapDataEnd> parseMcapDataEnd(Bytes body) {
  FieldCursor fields(body);
  McapDataEnd end{fields.number<uint32_t>()};
  return whenGood(fields, std::move(end));
}

std::optional<McapRecord> parseMcapRecord(const McapRawRecord& record) {
  const auto asRecord = [](auto&& parsed) -> std::optional<McapRecord> {
    if (!parsed) return std::nullopt;
    return McapRecord(std::move(*parsed));
  };
  switch (static_cast<McapOpcode>(record.opcode)) {
    case McapOpcode::Header: return asRecord(parseMcapHeader(record.body));
    case McapOpcode::Footer: return asRecord(parseMcapFooter(record.body));
    case McapOpcode::Schema: return asRecord(parseMcapSchema(record.body));
    case McapOpcode::Channel: return asRecord(parseMcapChannel(record.body));
    case McapOpcode::Message: return asRecord(parseMcapMessage(record.body));
    case McapOpcode::Chunk: return asRecord(parseMcapChunk(record.body));
    case McapOpcode::MessageIndex: return asRecord(parseMcapMessageIndex(record.body));
    case McapOpcode::ChunkIndex: return asRecord(parseMcapChunkIndex(record.body));
    case McapOpcode::Attachment: return asRecord(parseMcapAttachment(record.body));
    case McapOpcode::AttachmentIndex: return asRecord(parseMcapAttachmentIndex(record.body));
    case McapOpcode::Statistics: return asRecord(parseMcapStatistics(record.body));
    case McapOpcode::Metadata: return asRecord(parseMcapMetadata(record.body));
    case McapOpcode::MetadataIndex: return asRecord(parseMcapMetadataIndex(record.body));
    case McapOpcode::SummaryOffset: return asRecord(parseMcapSummaryOffset(record.body));
    case McapOpcode::DataEnd: return asRecord(parseMcapDataEnd(record.body));
  }
  return McapRecord(McapUnknown{record.opcode});
}

}  // namespace gs
