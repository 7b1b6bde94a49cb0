// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/core/version.hpp"
#include "gs/formats/compression.hpp"
#include "gs/formats/crc32.hpp"
#include "gs/formats/mcap_encode.hpp"

namespace gs {
namespace {

constexpr size_t kUnchunkedFlush = size_t{64} << 10;

// A file that grows: every write() reaches the kernel before it returns, so a killed process loses
// nothing of it.
class GrowingFile {
 public:
  explicit GrowingFile(const std::filesystem::path& path) : name_(path.string()) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) fail("create");
  }
  ~GrowingFile() { ::close(fd_); }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void write(Bytes bytes) {
    crc_ = crc32Of(bytes, crc_);
    size_ += bytes.size();
    while (!bytes.empty()) {
      const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) fail("write");
      bytes = bytes.subspan(static_cast<size_t>(done));
    }
  }
  void sync() {
    if (::fsync(fd_) != 0 && errno != EINVAL) fail("flush");  // EINVAL: a pipe or the like
  }
  uint64_t size() const { return size_; }
  uint32_t crc() const { return crc_; }  // of all bytes so far

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error({.code = ErrorCode::OutputFailed,
                 .component = "mcap_writer",
                 .message = "cannot " + std::string(what) + " '" + name_ +
                            "': " + std::generic_category().message(errno),
                 .details = {{"file", name_}},
                 .suggestion = "Check free space and permissions of the output folder."});
  }

  std::string name_;
  int fd_ = -1;
  uint64_t size_ = 0;
  uint32_t crc_ = 0;
};

std::string_view nameOf(McapCompression compression) {
  switch (compression) {
    case McapCompression::Lz4: return "lz4";
    case McapCompression::Zstd: return "zstd";
    case McapCompression::None: break;
  }
  return "";
}

// The chunk being filled.
struct OpenChunk {
  std::string records;
  std::vector<McapMessageIndex> indexes;  // by channel id - 1
  std::vector<uint16_t> channels;         // with messages here, in order of first use
  std::vector<bool> has_schema;           // by schema id
  uint64_t start = std::numeric_limits<uint64_t>::max(), end = 0;

  void clear() {
    records.clear();
    for (const uint16_t id : channels) indexes[id - 1U].records.clear();
    channels.clear();
    has_schema.assign(has_schema.size(), false);
    start = std::numeric_limits<uint64_t>::max();
    end = 0;
  }
};

}  // namespace

struct McapWriter::State {
  State(const std::filesystem::path& path, const McapWriterOptions& given)
      : file(path), options(given) {
    std::string bytes(kMcapMagic);
    appendMcap(bytes,
               McapHeader{options.profile, "gs_ros2_simulator " + std::string(buildVersion())});
    file.write(asBytes(bytes));
  }

  bool isChunked() const { return options.chunk_bytes > 0; }

  void define(uint16_t channel_id) {
    const McapChannel& channel = channels[channel_id - 1U];
    if (channel.schema_id != 0 && !chunk.has_schema[channel.schema_id]) {
      chunk.has_schema[channel.schema_id] = true;
      appendMcap(chunk.records, schemas[channel.schema_id - 1U]);
    }
    appendMcap(chunk.records, channel);
    chunk.channels.push_back(channel_id);
  }

  void add(const McapMessage& message) {
    GS_CHECK(message.channel_id >= 1);
    GS_CHECK(message.channel_id <= channels.size());
    auto& entries = chunk.indexes[message.channel_id - 1U].records;
    if (entries.empty()) define(message.channel_id);
    const auto time = static_cast<uint64_t>(message.log_time.ns);
    entries.emplace_back(time, chunk.records.size());
    appendMcap(chunk.records, message);
    chunk.start = std::min(chunk.start, time);
    chunk.end = std::max(chunk.end, time);
    if (statistics.message_count == 0)
      statistics.message_start_time = statistics.message_end_time = time;
    statistics.message_start_time = std::min(statistics.message_start_time, time);
    statistics.message_end_time = std::max(statistics.message_end_time, time);
    ++statistics.message_count;
    ++statistics.channel_message_counts[message.channel_id];
    if (chunk.records.size() >= (isChunked() ? options.chunk_bytes : kUnchunkedFlush)) flush();
  }

  void flush() {
    if (chunk.channels.empty() && chunk.records.empty()) return;
    if (isChunked()) {
      writeChunk();
      chunk.clear();
    } else {  // the definitions stay valid for the rest of the file
      file.write(asBytes(chunk.records));
      chunk.records.clear();
      for (auto& index : chunk.indexes)
        if (index.records.size() > 1) index.records.resize(1);
    }
  }

  void writeChunk() {
    McapChunk record{.message_start_time = chunk.start,
                     .message_end_time = chunk.end,
                     .uncompressed_size = chunk.records.size(),
                     .uncompressed_crc = crc32Of(asBytes(chunk.records)),
                     .compression = std::string(nameOf(options.compression)),
                     .records = asBytes(chunk.records)};
    packed.clear();
    if (options.compression == McapCompression::Zstd)
      compressZstd(record.records, options.compression_level, packed);
    if (options.compression == McapCompression::Lz4)
      compressLz4(record.records, options.compression_level, packed);
    if (options.compression != McapCompression::None) record.records = asBytes(packed);

    McapChunkIndex index{.message_start_time = chunk.start,
                         .message_end_time = chunk.end,
                         .chunk_start_offset = file.size(),
                         .compression = record.compression,
                         .compressed_size = record.records.size(),
                         .uncompressed_size = chunk.records.size()};
    out.clear();
    appendMcap(out, record);
    index.chunk_length = out.size();
    for (const uint16_t id : chunk.channels) {
      index.message_index_offsets[id] = file.size() + out.size();
      appendMcap(out, chunk.indexes[id - 1U]);
    }
    index.message_index_length = out.size() - index.chunk_length;
    file.write(asBytes(out));
    chunk_indexes.push_back(std::move(index));
  }

  // One group of the summary and, when it is not empty, where it stands.
  template <typename List>
  void appendGroup(std::string& summary, McapOpcode opcode, const List& list,
                   std::vector<McapSummaryOffset>& groups) const {
    const size_t before = summary.size();
    for (const auto& item : list) appendMcap(summary, item);
    if (summary.size() > before)
      groups.push_back(
          {static_cast<uint8_t>(opcode), file.size() + before, summary.size() - before});
  }

  void finish() {
    flush();
    out.clear();
    appendMcap(out, McapDataEnd{file.crc()});
    file.write(asBytes(out));

    statistics.schema_count = static_cast<uint16_t>(schemas.size());
    statistics.channel_count = static_cast<uint32_t>(channels.size());
    statistics.attachment_count = static_cast<uint32_t>(attachment_indexes.size());
    statistics.metadata_count = static_cast<uint32_t>(metadata_indexes.size());
    statistics.chunk_count = static_cast<uint32_t>(chunk_indexes.size());
    std::string summary;
    std::vector<McapSummaryOffset> groups;
    appendGroup(summary, McapOpcode::Schema, schemas, groups);
    appendGroup(summary, McapOpcode::Channel, channels, groups);
    appendGroup(summary, McapOpcode::Statistics, std::vector{statistics}, groups);
    appendGroup(summary, McapOpcode::ChunkIndex, chunk_indexes, groups);
    appendGroup(summary, McapOpcode::AttachmentIndex, attachment_indexes, groups);
    appendGroup(summary, McapOpcode::MetadataIndex, metadata_indexes, groups);
    const McapFooter footer{file.size(), file.size() + summary.size(), 0};
    for (const McapSummaryOffset& group : groups) appendMcap(summary, group);
    appendMcap(summary, footer);
    const size_t before_crc = summary.size() - sizeof(uint32_t);
    const uint32_t crc = crc32Of(asBytes(summary).first(before_crc));
    std::memcpy(summary.data() + before_crc, &crc, sizeof crc);
    summary += kMcapMagic;
    file.write(asBytes(summary));
    file.sync();
  }

  GrowingFile file;
  McapWriterOptions options;
  std::vector<McapSchema> schemas;    // by id - 1
  std::vector<McapChannel> channels;  // by id - 1
  OpenChunk chunk;
  McapStatistics statistics;
  std::vector<McapChunkIndex> chunk_indexes;
  std::vector<McapAttachmentIndex> attachment_indexes;
  std::vector<McapMetadataIndex> metadata_indexes;
  std::string packed, out;  // kept for their memory
};

McapWriter::McapWriter(const std::filesystem::path& path, const McapWriterOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
McapWriter::~McapWriter() = default;
McapWriter::McapWriter(McapWriter&&) noexcept = default;
McapWriter& McapWriter::operator=(McapWriter&&) noexcept = default;

uint16_t McapWriter::addSchema(std::string name, std::string encoding, std::string data) {
  auto& schemas = state_->schemas;
  for (const McapSchema& known : schemas)
    if (known.name == name && known.encoding == encoding && known.data == data) return known.id;
  GS_CHECK(schemas.size() < std::numeric_limits<uint16_t>::max());
  const auto id = static_cast<uint16_t>(schemas.size() + 1);
  schemas.push_back({id, std::move(name), std::move(encoding), std::move(data)});
  state_->chunk.has_schema.resize(schemas.size() + 1, false);
  return id;
}

uint16_t McapWriter::addChannel(uint16_t schema_id, std::string topic, std::string message_encoding,
                                std::map<std::string, std::string> metadata) {
  auto& channels = state_->channels;
  GS_CHECK(schema_id <= state_->schemas.size());
  GS_CHECK(channels.size() < std::numeric_limits<uint16_t>::max());
  const auto id = static_cast<uint16_t>(channels.size() + 1);
  McapChannel channel{id, schema_id, std::move(topic), std::move(message_encoding),
                      std::move(metadata)};
  for (const McapChannel& known : channels) {
    channel.id = known.id;
    if (known == channel) return known.id;
  }
  channel.id = id;
  channels.push_back(std::move(channel));
  state_->chunk.indexes.push_back({.channel_id = id});
  return id;
}

void McapWriter::write(const McapMessage& message) { state_->add(message); }

void McapWriter::attach(const McapAttachment& attachment) {
  if (!state_->isChunked()) state_->flush();
  std::string record;
  appendMcap(record, attachment);
  state_->attachment_indexes.push_back(
      {.offset = state_->file.size(),
       .length = record.size(),
       .log_time = static_cast<uint64_t>(attachment.log_time.ns),
       .create_time = static_cast<uint64_t>(attachment.create_time.ns),
       .data_size = attachment.data.size(),
       .name = attachment.name,
       .media_type = attachment.media_type});
  state_->file.write(asBytes(record));
}

void McapWriter::addMetadata(const McapMetadata& metadata) {
  if (!state_->isChunked()) state_->flush();
  std::string record;
  appendMcap(record, metadata);
  state_->metadata_indexes.push_back({state_->file.size(), record.size(), metadata.name});
  state_->file.write(asBytes(record));
}

void McapWriter::close() { state_->finish(); }

}  // namespace gs
