// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_index.hpp"

#include <algorithm>

namespace gs {

bool McapFileIndex::define(McapSchema schema) {
  const auto known = schemas.find(schema.id);
  if (known != schemas.end()) return known->second == schema;
  const uint64_t size = schema.name.size() + schema.encoding.size() + schema.data.size();
  if (schema.id == 0 || size > kMcapMaxHeldBytes - held_bytes) return false;
  held_bytes += size;
  schemas.emplace(schema.id, std::move(schema));
  return true;
}

bool McapFileIndex::define(McapChannel channel) {
  const auto known = channels.find(channel.id);
  if (known != channels.end()) return known->second == channel;
  uint64_t size = channel.topic.size() + channel.message_encoding.size();
  for (const auto& [key, value] : channel.metadata) size += key.size() + value.size() + 64;
  if (size > kMcapMaxHeldBytes - held_bytes) return false;
  held_bytes += size;
  channels.emplace(channel.id, std::move(channel));
  return true;
}

std::string McapFileIndex::keep(const McapRawRecord& record) {
  if (record.body.size() > kMcapMaxHeldBytes - held_bytes)
    return "attachments and metadata beyond " + std::to_string(kMcapMaxHeldBytes) + " bytes";
  if (record.is(McapOpcode::Attachment)) {
    auto attachment = parseMcapAttachment(record.body);
    if (!attachment) return "attachment: its fields do not fit";
    if (!attachment->is_crc_right) return "attachment: its CRC is wrong";
    attachments.push_back(std::move(attachment->attachment));
  } else {
    auto entry = parseMcapMetadata(record.body);
    if (!entry) return "metadata: its fields do not fit";
    metadata.push_back(std::move(*entry));
  }
  held_bytes += record.body.size();
  return {};
}

std::string loadMcapBlock(const ByteSource& source, const McapBlock& block, McapBlockMemory& memory,
                          Bytes& out) {
  if (block.is_chunk) return loadMcapChunk(source, block.offset, block.length, memory, out);
  const auto space = memory.stored.ofSize(static_cast<size_t>(block.length));
  if (!source.readAt(block.offset, space)) return "the file became shorter";
  out = space;
  return {};
}

Bytes SourceWindow::at(uint64_t offset, size_t count) {
  constexpr size_t kWindow = size_t{64} << 10;
  if (offset >= source_.size()) return {};
  count = static_cast<size_t>(std::min<uint64_t>(count, source_.size() - offset));
  if (offset < begin_ || offset - begin_ + count > bytes_.size()) {
    bytes_.resize(std::max(kWindow, count));
    begin_ = offset;
    bytes_.resize(source_.readSomeAt(offset, bytes_));
    count = std::min(count, bytes_.size());
  }
  return Bytes(bytes_).subspan(static_cast<size_t>(offset - begin_), count);
}

std::optional<McapRecordHead> recordHeadAt(SourceWindow& window, uint64_t offset) {
  ByteCursor cursor(window.at(offset, kMcapRecordHead));
  const auto opcode = cursor.take<uint8_t>();
  const auto length = cursor.take<uint64_t>();
  if (!length) return std::nullopt;
  return McapRecordHead{*opcode, *length};
}

}  // namespace gs
