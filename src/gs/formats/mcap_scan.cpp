// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gs/formats/crc32.hpp"
#include "gs/formats/mcap_index.hpp"

namespace gs {
namespace {

constexpr uint64_t kRunBytes = uint64_t{1} << 20;
constexpr uint64_t kMaxSmallRecord = uint64_t{16} << 20;  // any record that only describes others

bool isKnown(uint8_t opcode) { return opcode >= 0x01 && opcode <= 0x0F; }

// What a block holds, gathered while its messages are seen.
struct BlockContent {
  std::vector<uint64_t> counts;  // by channel id
  std::vector<uint16_t> channels;
  int64_t start = 0, end = 0;

  void add(const McapMessage& message) {
    const int64_t time = message.log_time.ns;
    if (channels.empty()) start = end = time;
    start = std::min(start, time);
    end = std::max(end, time);
    if (message.channel_id >= counts.size()) counts.resize(message.channel_id + size_t{1});
    if (counts[message.channel_id]++ == 0) channels.push_back(message.channel_id);
  }
};

class Scan {
 public:
  Scan(const ByteSource& source, const McapProblemSink& problem)
      : source_(source), problem_(problem), window_(source) {}

  McapFileIndex run() {
    uint64_t at = kMcapMagic.size();
    while (at < source_.size() && !is_at_end_) {
      reason_.clear();
      uint64_t next = takeRecord(at);
      if (next == 0) {  // nothing at `at` can be believed, not even its length
        closeRun();
        next = findRecord(at + 1, endOfCompressedChunk(at));
        report(at, next - at, reason_);
      } else if (!reason_.empty()) {
        report(at, next - at, reason_);
      }
      at = next;
    }
    closeRun();
    if (!is_at_end_ && !has_damage_)
      report(source_.size(), 0, "the log ends without a footer: the recording was cut off");
    checkTotals();
    return std::move(index_);
  }

 private:
  void report(uint64_t offset, uint64_t lost, const std::string& what) {
    has_damage_ = true;
    problem_(offset, lost, what);
  }
  uint64_t damaged(std::string what) {
    reason_ = std::move(what);
    return 0;
  }
  uint64_t lost(uint64_t next, std::string what) {
    reason_ = std::move(what);
    return next;
  }

  // The offset behind the record at `at`, or 0 when it is no record. With a reason when the record
  // was lost but its length can be relied on.
  uint64_t takeRecord(uint64_t at) {
    const uint64_t left = source_.size() - at;
    if (left == kMcapMagic.size() && asText(window_.at(at, 8)) == kMcapMagic) {
      return damaged("the footer is missing");
    }
    const auto head = recordHeadAt(window_, at);
    if (!head || head->length > left - kMcapRecordHead)
      return damaged(head && isKnown(head->opcode) ? "a record passes the end of the file"
                                                   : "no record begins here");
    const uint64_t next = at + kMcapRecordHead + head->length;
    switch (static_cast<McapOpcode>(head->opcode)) {
      case McapOpcode::Message: return takeMessage(at, next);
      case McapOpcode::Chunk: return takeChunk(at, next);
      case McapOpcode::Footer: return takeFooter(at, next);
      case McapOpcode::Attachment:
      case McapOpcode::Metadata: return takeKept(at, next, head->opcode);
      default: return takeSmall(at, next, *head);
    }
  }

  // Whether a record may begin here, judged by its first bytes alone. The end of the file counts:
  // it may have been cut.
  bool mayBeRecord(uint64_t at) {
    const auto head = recordHeadAt(window_, at);
    if (!head) return true;
    if (asText(window_.at(at, 8)) == kMcapMagic) return true;
    const bool fits = head->length <= source_.size() - at - kMcapRecordHead;
    if (isKnown(head->opcode)) return fits || head->length <= kMcapMaxChunkBytes;
    return head->opcode != 0 && fits;
  }

  // Records outside chunks have no CRC of their own. That a record follows speaks for the length;
  // when none does, the damage may still begin behind the record, unless another one begins inside
  // it.
  bool mayEndAt(uint64_t at, uint64_t next) {
    return mayBeRecord(next) || findRecord(at + 1) >= next;
  }

  uint64_t takeMessage(uint64_t at, uint64_t next) {
    const auto message =
        parseMcapMessage(window_.at(at + kMcapRecordHead, messageHeadSize(at, next)));
    if (!message) return damaged("a message that is none");
    if (next - at > kMcapMaxChunkBytes || !mayEndAt(at, next))
      return damaged("a message whose length is wrong");
    if (index_.channels.count(message->channel_id) == 0) {
      closeRun();
      return lost(next, "a message of the unknown channel " + std::to_string(message->channel_id));
    }
    extendRun(at, next);
    run_content_.add(*message);
    return next;
  }
  static size_t messageHeadSize(uint64_t at, uint64_t next) {
    return static_cast<size_t>(std::min<uint64_t>(next - at - kMcapRecordHead, kMcapMessageHead));
  }

  void extendRun(uint64_t at, uint64_t next) {
    if (run_.length > 0 && next - run_.offset > kRunBytes) closeRun();
    if (run_.length == 0) run_.offset = at;
    run_.length = next - run_.offset;
    has_unguarded_ = true;
  }

  void closeRun() {
    if (run_.length > 0) addBlock(run_.offset, run_.length, 0, run_content_);
    run_.length = 0;
  }

  void addBlock(uint64_t offset, uint64_t length, uint64_t unpacked, BlockContent& content) {
    std::sort(content.channels.begin(), content.channels.end());
    if (!content.channels.empty()) {
      index_.blocks.push_back({.offset = offset,
                               .length = length,
                               .unpacked_length = unpacked,
                               .start_ns = content.start,
                               .end_ns = content.end,
                               .first_channel = index_.block_channels.size(),
                               .channel_count = static_cast<uint32_t>(content.channels.size()),
                               .is_chunk = unpacked > 0});
      index_.start = std::min(index_.start.value_or(Stamp{content.start}), Stamp{content.start});
      index_.end = std::max(index_.end.value_or(Stamp{content.end}), Stamp{content.end});
    }
    for (const uint16_t channel : content.channels) {
      index_.block_channels.push_back(channel);
      index_.message_counts[channel] += content.counts[channel];
      index_.message_count += content.counts[channel];
      content.counts[channel] = 0;
    }
    content.channels.clear();
  }

  uint64_t takeChunk(uint64_t at, uint64_t next) {
    closeRun();
    if (!isChunkAt(at, next)) return damaged("a chunk whose lengths disagree");
    Bytes records;
    const std::string problem = loadMcapChunk(source_, at, next - at, memory_, records);
    if (!problem.empty()) return lost(next, problem);
    std::string inner = readChunk(records);
    addBlock(at, next - at, records.size(), chunk_content_);
    if (!inner.empty()) return lost(next, std::move(inner));
    return next;
  }

  // Messages of the chunk are counted, definitions kept. What is wrong, as far as anything is.
  std::string readChunk(Bytes records) {
    std::string problem;
    ByteCursor cursor(records);
    while (cursor.left() > 0) {
      const auto record = takeMcapRecord(cursor);
      if (!record) return "chunk: a record in it passes its end";
      if (record->is(McapOpcode::Message)) {
        const auto message = parseMcapMessage(record->body);
        if (message && index_.channels.count(message->channel_id) != 0)
          chunk_content_.add(*message);
        else problem = "chunk: a message in it is damaged or of an unknown channel";
      } else if (!define(*record)) {
        problem = "chunk: a schema or channel in it is damaged or contradicts an earlier one";
      }
    }
    return problem;
  }

  // True also for records that define nothing.
  bool define(const McapRawRecord& record) {
    if (record.is(McapOpcode::Schema)) {
      auto schema = parseMcapSchema(record.body);
      return schema && index_.define(std::move(*schema));
    }
    if (record.is(McapOpcode::Channel)) {
      auto channel = parseMcapChannel(record.body);
      return channel && index_.define(std::move(*channel));
    }
    return true;
  }

  uint64_t takeFooter(uint64_t at, uint64_t next) {
    closeRun();
    if (next - at < kMcapRecordHead + kMcapFooterLength || next - at > kMaxSmallRecord)
      return damaged("a footer that is none");
    const Bytes tail = window_.at(next, kMcapMagic.size() + 1);
    if (asText(tail) == kMcapMagic) {
      is_at_end_ = true;
      return next;
    }
    if (tail.size() <= kMcapMagic.size()) {
      is_at_end_ = true;
      return lost(next, "the magic at the end is missing");
    }
    if (asText(tail.first(kMcapMagic.size())) == kMcapMagic)
      return lost(next + kMcapMagic.size(), "a footer in the middle: logs joined without a tool");
    return damaged("a footer in the middle");
  }

  uint64_t takeKept(uint64_t at, uint64_t next, uint8_t opcode) {
    closeRun();
    if (next - at > kMcapMaxHeldBytes) return lost(next, "an attachment too large to keep");
    const auto body = memory_.stored.ofSize(static_cast<size_t>(next - at - kMcapRecordHead));
    if (!source_.readAt(at + kMcapRecordHead, body)) return damaged("the file became shorter");
    std::string problem = index_.keep({opcode, body});
    if (problem.empty()) return next;
    if (!mayEndAt(at, next)) return damaged(std::move(problem));
    return lost(next, std::move(problem));
  }

  uint64_t takeSmall(uint64_t at, uint64_t next, McapRecordHead head) {
    if (!isKnown(head.opcode)) {
      closeRun();
      return head.opcode != 0 && mayBeRecord(next) ? next : damaged("no record begins here");
    }
    if (head.length > kMaxSmallRecord) return damaged("a record that is too long for its kind");
    if (!mayEndAt(at, next)) return damaged("a record whose length is wrong");
    const Bytes body = window_.at(at + kMcapRecordHead, static_cast<size_t>(head.length));
    const McapRawRecord raw{head.opcode, body};
    const auto record = parseMcapRecord(raw);
    if (!record) return damaged("a record whose fields do not fit");
    const bool is_definition = raw.is(McapOpcode::Schema) || raw.is(McapOpcode::Channel);
    if (!is_definition) closeRun();
    if (const auto* end = std::get_if<McapDataEnd>(&*record)) data_end_ = {{at, *end}};
    if (const auto* statistics = std::get_if<McapStatistics>(&*record)) statistics_ = *statistics;
    if (!is_definition || define(raw)) return next;
    return lost(next, "a schema or channel contradicts an earlier one");
  }

  // The size of a chunk stands in it twice, and its compression is a known word: this is how a
  // chunk is told from garbage.
  bool isChunkAt(uint64_t at, uint64_t next) {
    ByteCursor cursor(window_.at(at + kMcapRecordHead, 8 + 8 + 8 + 4 + 4 + 64 + 8));
    const auto start = cursor.take<uint64_t>();
    const auto end = cursor.take<uint64_t>();
    cursor.take(12);
    const auto word = cursor.take<uint32_t>();
    if (!word || *word > 64 || *start > *end) return false;
    cursor.take(*word);
    const auto size = cursor.take<uint64_t>();
    return size && *size <= next - at && next - at - *size >= kMcapRecordHead + 40 + *word;
  }

  // Where the compressed chunk that begins at `at` claims to end; `at` when there is none.
  uint64_t endOfCompressedChunk(uint64_t at) {
    const auto head = recordHeadAt(window_, at);
    if (!head || head->opcode != static_cast<uint8_t>(McapOpcode::Chunk)) return at;
    ByteCursor cursor(window_.at(at + kMcapRecordHead + 8 + 8 + 8 + 4, 4 + 4));
    const auto word = cursor.take<uint32_t>();
    if (!word || *word == 0 || *word > cursor.left()) return at;
    const std::string_view compression = asText(*cursor.take(*word));
    if (compression != "zstd" && compression != "lz4") return at;
    return at + std::min(head->length, source_.size() - at);
  }

  // The first offset from `at` on where a record can be believed in, or the end of the file. Only
  // kinds that can be judged in constant time are looked for, so that damage costs one pass. Below
  // `compressed_end` bytes are those of a compressor: what looks like a message there (pictures are
  // stored as they are) has the compressor's own bytes in between.
  uint64_t findRecord(uint64_t at, uint64_t compressed_end = 0) {
    for (; at < source_.size(); ++at) {
      const auto head = recordHeadAt(window_, at);
      if (!head) break;
      if (!isKnown(head->opcode) || head->length > source_.size() - at - kMcapRecordHead) continue;
      if (at < compressed_end && isOfChunkContent(head->opcode)) continue;
      if (isBelievable(at, *head)) return at;
    }
    return source_.size();
  }

  static bool isOfChunkContent(uint8_t opcode) {
    const McapRawRecord record{opcode, {}};
    return record.is(McapOpcode::Message) || record.is(McapOpcode::Schema) ||
           record.is(McapOpcode::Channel);
  }

  bool isBelievable(uint64_t at, McapRecordHead head) {
    const uint64_t next = at + kMcapRecordHead + head.length;
    switch (static_cast<McapOpcode>(head.opcode)) {
      case McapOpcode::Chunk: return isChunkAt(at, next) && mayBeRecord(next);
      case McapOpcode::DataEnd: return head.length == 4 && mayBeRecord(next);
      case McapOpcode::Footer:
        return head.length == kMcapFooterLength && next + kMcapMagic.size() == source_.size();
      case McapOpcode::Message: {
        const auto message =
            parseMcapMessage(window_.at(at + kMcapRecordHead, messageHeadSize(at, next)));
        return message && index_.channels.count(message->channel_id) != 0 && mayBeRecord(next);
      }
      case McapOpcode::Schema:
      case McapOpcode::Channel: {
        if (head.length > 4096 || !mayBeRecord(next)) return false;
        const Bytes body = window_.at(at + kMcapRecordHead, static_cast<size_t>(head.length));
        if (head.opcode == static_cast<uint8_t>(McapOpcode::Schema)) {
          const auto schema = parseMcapSchema(body);
          return schema && schema->id != 0 && !schema->name.empty();
        }
        const auto channel = parseMcapChannel(body);
        return channel && !channel->topic.empty();
      }
      default: return false;
    }
  }

  // Loose messages are guarded by the CRC of the data section alone, lost records by the counts.
  void checkTotals() {
    if (has_damage_) return;
    if (has_unguarded_ && data_end_ && data_end_->second.data_section_crc != 0 &&
        crcUpTo(data_end_->first) != data_end_->second.data_section_crc)
      report(0, 0, "the CRC of the data section is wrong: a message may be damaged");
    else if (statistics_ && statistics_->message_count != index_.message_count)
      report(0, 0,
             std::to_string(index_.message_count) + " messages found where the log counts " +
                 std::to_string(statistics_->message_count));
  }

  uint32_t crcUpTo(uint64_t end) {
    uint32_t crc = 0;
    const auto space = memory_.stored.ofSize(size_t{1} << 20);
    for (uint64_t at = 0; at < end;) {
      const auto piece =
          space.first(static_cast<size_t>(std::min<uint64_t>(space.size(), end - at)));
      if (!source_.readAt(at, piece)) break;
      crc = crc32Of(piece, crc);
      at += piece.size();
    }
    return crc;
  }

  const ByteSource& source_;
  const McapProblemSink& problem_;
  SourceWindow window_;
  McapBlockMemory memory_;
  McapFileIndex index_;
  struct {
    uint64_t offset = 0, length = 0;
  } run_;
  BlockContent run_content_, chunk_content_;
  std::string reason_;
  std::optional<std::pair<uint64_t, McapDataEnd>> data_end_;
  std::optional<McapStatistics> statistics_;
  bool is_at_end_ = false, has_damage_ = false, has_unguarded_ = false;
};

}  // namespace

McapFileIndex indexByScan(const ByteSource& source, const McapProblemSink& problem) {
  return Scan(source, problem).run();
}

}  // namespace gs
