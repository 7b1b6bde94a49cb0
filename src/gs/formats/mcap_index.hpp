// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gs/formats/mcap_chunk.hpp"
#include "gs/formats/mcap_parse.hpp"

// What one .mcap file holds and where, without the messages themselves.
namespace gs {

// (offset, lost bytes, what is wrong). May throw: then reading ends there.
using McapProblemSink = std::function<void(uint64_t, uint64_t, const std::string&)>;

// A piece of the file that is read as one: a chunk, or a run of records outside chunks. Treating
// loose messages as runs keeps the index small however many there are.
struct McapBlock {
  uint64_t offset = 0;  // of the chunk record, or of the run's first record
  uint64_t length = 0;
  uint64_t unpacked_length = 0;      // as claimed
  int64_t start_ns = 0, end_ns = 0;  // log times of the messages in it
  uint64_t first_channel = 0;        // in McapFileIndex::block_channels
  uint32_t channel_count = 0;
  bool is_chunk = true;
  bool knows_channels = true;  // otherwise any channel may be in it
};

struct McapFileIndex {
  std::map<uint16_t, McapSchema> schemas;
  std::map<uint16_t, McapChannel> channels;
  std::map<uint16_t, uint64_t> message_counts;  // by channel
  std::vector<McapBlock> blocks;                // in file order
  std::vector<uint16_t> block_channels;
  std::vector<McapAttachment> attachments;
  std::vector<McapMetadata> metadata;
  uint64_t message_count = 0;
  std::optional<Stamp> start, end;
  bool is_indexed = false;
  uint64_t held_bytes = 0;  // of definitions, attachments and metadata

  std::span<const uint16_t> channelsOf(const McapBlock& block) const {
    return std::span(block_channels)
        .subspan(static_cast<size_t>(block.first_channel), block.channel_count);
  }
  // False when a definition is refused: another one with its id, or no room.
  bool define(McapSchema schema);
  bool define(McapChannel channel);
  // Keeps an attachment or metadata record; otherwise says why not.
  std::string keep(const McapRawRecord& record);
};

// What is kept of a file besides its messages; more is a problem, not an allocation.
constexpr uint64_t kMcapMaxHeldBytes = uint64_t{128} << 20;

// The bytes of the block's records, valid until `memory` is used again; otherwise what is wrong.
[[nodiscard]] std::string loadMcapBlock(const ByteSource& source, const McapBlock& block,
                                        McapBlockMemory& memory, Bytes& out);

// From the summary at the file's end; nothing when there is none or it cannot be relied on. Damage
// is reported; a file that simply has no index is not damaged.
std::optional<McapFileIndex> indexFromSummary(const ByteSource& source,
                                              const McapProblemSink& problem);

// By reading the file once, around whatever is damaged.
McapFileIndex indexByScan(const ByteSource& source, const McapProblemSink& problem);

// Small pieces of a file without a system call for each.
class SourceWindow {
 public:
  explicit SourceWindow(const ByteSource& source) : source_(source) {}
  // Up to `count` bytes from `offset`, fewer only at the end; valid until the next call.
  Bytes at(uint64_t offset, size_t count);

 private:
  const ByteSource& source_;
  std::vector<std::byte> bytes_;
  uint64_t begin_ = 0;
};

// The head of the record at `offset`, when there are bytes enough for one.
struct McapRecordHead {
  uint8_t opcode = 0;
  uint64_t length = 0;
};
std::optional<McapRecordHead> recordHeadAt(SourceWindow& window, uint64_t offset);

}  // namespace gs
