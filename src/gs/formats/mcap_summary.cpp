// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "gs/formats/crc32.hpp"
#include "gs/formats/mcap_index.hpp"

namespace gs {
namespace {

constexpr uint64_t kMaxSummaryBytes = uint64_t{256} << 20;
constexpr auto kMaxNs = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

// Reads the summary and compares it with the file it describes. Every answer "" means: believed.
class SummaryReader {
 public:
  explicit SummaryReader(const ByteSource& source) : source_(source), window_(source) {}

  // A summary may leave out what it likes; one without all we need is no damage, and no help.
  bool isUseful() const { return has_summary_ && is_complete_; }
  uint64_t summaryStart() const { return footer_.summary_start; }

  std::string read(McapFileIndex& index) {
    if (std::string problem = readFooter(); !problem.empty() || !has_summary_) return problem;
    if (std::string problem = readRecords(index); !problem.empty()) return problem;
    // libmcap, and so rosbag2, counts only channels with messages, but lists the others too.
    is_complete_ = statistics_ && statistics_->chunk_count == chunks_.size() &&
                   statistics_->channel_count <= index.channels.size() && definesAll(index);
    if (is_complete_)
      if (std::string problem = addBlocks(index); !problem.empty()) return problem;
    if (is_complete_)
      if (std::string problem = readGaps(index); !problem.empty()) return problem;
    if (is_complete_) addCounts(index);
    return {};
  }

 private:
  std::string readFooter() {
    constexpr size_t kTail = kMcapRecordHead + kMcapFooterLength + 8;
    if (source_.size() < kTail + 8) return {};
    footer_offset_ = source_.size() - kTail;
    ByteCursor cursor(window_.at(footer_offset_, kTail));
    const auto record = takeMcapRecord(cursor);
    const auto magic = cursor.take(8);
    if (!record || !record->is(McapOpcode::Footer) || !magic || asText(*magic) != kMcapMagic)
      return {};  // the scan will say what is there instead
    footer_ = parseMcapFooter(record->body).value_or(McapFooter{});
    if (footer_.summary_start == 0) return {};
    if (footer_.summary_start > footer_offset_) return "the footer points behind itself";
    if (footer_offset_ - footer_.summary_start > kMaxSummaryBytes)
      return "the summary is too large";
    has_summary_ = true;
    return {};
  }

  std::string readRecords(McapFileIndex& index) {
    const uint64_t size = footer_offset_ - footer_.summary_start;
    const auto bytes = memory_.ofSize(static_cast<size_t>(size) + kMcapRecordHead + 16);
    if (!source_.readAt(footer_.summary_start, bytes)) return "the summary cannot be read";
    if (footer_.summary_crc != 0 && crc32Of(bytes) != footer_.summary_crc)
      return "the summary's CRC is wrong";
    ByteCursor cursor(Bytes(bytes).first(static_cast<size_t>(size)));
    while (cursor.left() > 0) {
      const auto record = takeMcapRecord(cursor);
      if (!record || !readRecord(*record, index)) return "a record in the summary does not fit";
    }
    return {};
  }

  bool readRecord(const McapRawRecord& record, McapFileIndex& index) {
    if (record.is(McapOpcode::Schema)) {
      auto schema = parseMcapSchema(record.body);
      return schema && index.define(std::move(*schema));
    }
    if (record.is(McapOpcode::Channel)) {
      auto channel = parseMcapChannel(record.body);
      return channel && index.define(std::move(*channel));
    }
    if (record.is(McapOpcode::ChunkIndex)) {
      auto chunk = parseMcapChunkIndex(record.body);
      if (chunk) chunks_.push_back(std::move(*chunk));
      return chunk.has_value();
    }
    if (record.is(McapOpcode::Statistics)) {
      statistics_ = parseMcapStatistics(record.body);
      return statistics_.has_value();
    }
    return true;
  }

  static bool definesAll(const McapFileIndex& index) {
    return std::all_of(index.channels.begin(), index.channels.end(), [&](const auto& entry) {
      const uint16_t schema = entry.second.schema_id;
      return schema == 0 || index.schemas.count(schema) != 0;
    });
  }

  std::string addBlocks(McapFileIndex& index) {
    std::sort(chunks_.begin(), chunks_.end(), [](const auto& a, const auto& b) {
      return a.chunk_start_offset < b.chunk_start_offset;
    });
    uint64_t end = kMcapMagic.size();
    for (const McapChunkIndex& chunk : chunks_) {
      const uint64_t begin = chunk.chunk_start_offset, limit = footer_.summary_start;
      if (begin < end || begin > limit || chunk.chunk_length > limit - begin ||
          chunk.message_index_length > limit - begin - chunk.chunk_length)
        return "the chunk index points where no chunk can be";
      end = begin + chunk.chunk_length + chunk.message_index_length;
      if (chunk.message_start_time > chunk.message_end_time || chunk.message_end_time > kMaxNs)
        return "a time in the chunk index is impossible";
      McapBlock block{.offset = begin,
                      .length = chunk.chunk_length,
                      .unpacked_length = chunk.uncompressed_size,
                      .start_ns = static_cast<int64_t>(chunk.message_start_time),
                      .end_ns = static_cast<int64_t>(chunk.message_end_time),
                      .first_channel = index.block_channels.size(),
                      .channel_count = static_cast<uint32_t>(chunk.message_index_offsets.size()),
                      .knows_channels = !chunk.message_index_offsets.empty()};
      for (const auto& [channel, offset] : chunk.message_index_offsets) {
        if (index.channels.count(channel) == 0) is_complete_ = false;
        index.block_channels.push_back(channel);
      }
      index.blocks.push_back(block);
    }
    return {};
  }

  // What stands between the chunks: attachments and metadata are kept; a message or a chunk that
  // the index does not know makes the index useless.
  std::string readGaps(McapFileIndex& index) {
    uint64_t at = kMcapMagic.size();
    for (const McapChunkIndex& chunk : chunks_) {
      if (std::string problem = readGap(at, chunk.chunk_start_offset, index); !problem.empty())
        return problem;
      at = chunk.chunk_start_offset + chunk.chunk_length + chunk.message_index_length;
    }
    return readGap(at, footer_.summary_start, index);
  }

  std::string readGap(uint64_t at, uint64_t end, McapFileIndex& index) {
    while (at < end) {
      const auto head = recordHeadAt(window_, at);
      if (!head || end - at < kMcapRecordHead || head->length > end - at - kMcapRecordHead)
        return "between the chunks are bytes that are no records";
      const McapRawRecord kind{head->opcode, {}};
      if (kind.is(McapOpcode::Message) || kind.is(McapOpcode::Chunk)) {
        is_complete_ = false;
        return {};
      }
      if (kind.is(McapOpcode::Attachment) || kind.is(McapOpcode::Metadata)) {
        if (head->length > kMcapMaxHeldBytes) return "an attachment is too large";
        const auto body = memory_.ofSize(static_cast<size_t>(head->length));
        if (!source_.readAt(at + kMcapRecordHead, body)) return "the file became shorter";
        if (std::string problem = index.keep({head->opcode, body}); !problem.empty())
          return problem;
      }
      at += kMcapRecordHead + head->length;
    }
    return {};
  }

  void addCounts(McapFileIndex& index) const {
    index.is_indexed = true;
    index.message_counts = statistics_->channel_message_counts;
    index.message_count = statistics_->message_count;
    if (index.message_count == 0 ||
        statistics_->message_start_time > statistics_->message_end_time ||
        statistics_->message_end_time > kMaxNs)
      return;
    index.start = Stamp{static_cast<int64_t>(statistics_->message_start_time)};
    index.end = Stamp{static_cast<int64_t>(statistics_->message_end_time)};
  }

  const ByteSource& source_;
  SourceWindow window_;
  ScratchBuffer memory_;
  McapFooter footer_;
  uint64_t footer_offset_ = 0;
  bool has_summary_ = false, is_complete_ = false;
  std::vector<McapChunkIndex> chunks_;
  std::optional<McapStatistics> statistics_;
};

}  // namespace

std::optional<McapFileIndex> indexFromSummary(const ByteSource& source,
                                              const McapProblemSink& problem) {
  SummaryReader reader(source);
  McapFileIndex index;
  const std::string reason = reader.read(index);
  if (!reason.empty())
    problem(reader.summaryStart(), 0, reason + "; the log is read without its index");
  if (!reason.empty() || !reader.isUseful()) return std::nullopt;
  return index;
}

}  // namespace gs
