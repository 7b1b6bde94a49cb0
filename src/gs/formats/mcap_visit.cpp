// SPDX-License-Identifier: Apache-2.0
#include "gs/core/error.hpp"
#include "gs/formats/crc32.hpp"
#include "gs/formats/mcap_chunk.hpp"
#include "gs/formats/mcap_parse.hpp"

namespace gs {
namespace {

class StrictVisit {
 public:
  StrictVisit(const ByteSource& source, const std::function<void(const McapRecord&)>& visit)
      : source_(source), visit_(visit) {}

  void run() {
    takeMagic();
    bool is_at_end = false;
    while (!is_at_end) is_at_end = takeRecord();
    takeMagic();
    if (position_ != source_.size()) fail("bytes after the last magic");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(
        {.code = ErrorCode::McapReadError,
         .component = "mcap_ingest",
         .message = "'" + source_.name() + "' at byte " + std::to_string(position_) + ": " + what,
         .details = {{"file", source_.name()}, {"offset", position_}, {"problem", what}},
         .suggestion = "Check that the file was copied whole."});
  }

  Bytes bytesAt(uint64_t offset, uint64_t count, ScratchBuffer& buffer) {
    if (offset > source_.size() || count > source_.size() - offset) fail("the file ends early");
    if (count > kMcapMaxChunkBytes) fail("a record of " + std::to_string(count) + " bytes");
    const auto space = buffer.ofSize(static_cast<size_t>(count));
    if (!source_.readAt(offset, space)) fail("the file ends early");
    return space;
  }

  void takeMagic() {
    const Bytes magic = bytesAt(position_, kMcapMagic.size(), stored_);
    if (asText(magic) != kMcapMagic) fail("no MCAP magic");
    data_crc_ = crc32Of(magic, data_crc_);
    position_ += magic.size();
  }

  bool takeRecord() {
    ByteCursor head(bytesAt(position_, kMcapRecordHead, stored_));
    head.take<uint8_t>();
    const uint64_t length = *head.take<uint64_t>();
    if (length > source_.size() - position_ - kMcapRecordHead) fail("the record passes the end");
    const Bytes bytes = bytesAt(position_, kMcapRecordHead + length, stored_);
    ByteCursor cursor(bytes);
    const McapRawRecord raw = *takeMcapRecord(cursor);
    const auto record = parseMcapRecord(raw);
    if (!record) fail("the fields of opcode " + std::to_string(raw.opcode) + " do not fit");
    checkCrc(*record);
    visit_(*record);
    if (const auto* chunk = std::get_if<McapChunk>(&*record)) visitChunk(*chunk);
    data_crc_ = crc32Of(bytes, data_crc_);
    position_ += bytes.size();
    return raw.is(McapOpcode::Footer);
  }

  void visitChunk(const McapChunk& chunk) {
    Bytes records;
    const std::string problem = unpackMcapChunk(chunk, records_, records);
    if (!problem.empty()) fail(problem);
    ByteCursor cursor(records);
    while (cursor.left() > 0) {
      const auto raw = takeMcapRecord(cursor);
      const auto record = raw ? parseMcapRecord(*raw) : std::nullopt;
      if (!record) fail("a record in the chunk does not fit");
      visit_(*record);
    }
  }

  void checkCrc(const McapRecord& record) {
    if (const auto* end = std::get_if<McapDataEnd>(&record))
      if (end->data_section_crc != 0 && end->data_section_crc != data_crc_)
        fail("the CRC of the data section is wrong");
    if (const auto* attachment = std::get_if<McapAttachmentRecord>(&record))
      if (!attachment->is_crc_right) fail("the CRC of the attachment is wrong");
    if (const auto* footer = std::get_if<McapFooter>(&record)) checkSummaryCrc(*footer);
  }

  void checkSummaryCrc(const McapFooter& footer) {
    if (footer.summary_crc == 0) return;
    const uint64_t start = footer.summary_start != 0 ? footer.summary_start : position_;
    if (start > position_) fail("the summary begins behind the footer");
    const uint64_t count = position_ - start + kMcapRecordHead + 16;  // up to the CRC itself
    if (crc32Of(bytesAt(start, count, records_)) != footer.summary_crc)
      fail("the CRC of the summary is wrong");
  }

  const ByteSource& source_;
  const std::function<void(const McapRecord&)>& visit_;
  ScratchBuffer stored_, records_;
  uint64_t position_ = 0;
  uint32_t data_crc_ = 0;
};

}  // namespace

void visitMcapRecords(const ByteSource& source,
                      const std::function<void(const McapRecord&)>& visit) {
  StrictVisit(source, visit).run();
}

}  // namespace gs
