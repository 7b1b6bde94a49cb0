// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/zip.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "gs/core/error.hpp"
#include "gs/formats/crc32.hpp"

namespace gs {
namespace {

// APPNOTE.TXT of PKWARE: sections 4.3.7, 4.3.12, 4.3.14, 4.3.15, 4.3.16 and 4.5.3.
constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50,
                   kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
constexpr size_t kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20, kCentralSize = 46,
                 kLocalSize = 30;
constexpr uint64_t kMaxDirectory = uint64_t{64} << 20;

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "zip",
               .message = "'" + name + "': " + why,
               .details = {{"file", name}},
               .suggestion = "Check that the file was written completely."});
}

template <typename T>
T at(Bytes bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string readRange(const ByteSource& source, uint64_t offset, uint64_t size) {
  if (offset > source.size() || size > source.size() - offset)
    fail(source.name(), "an entry lies beyond the end of the file");
  std::string bytes(size, '\0');
  if (!source.readAt(offset, std::as_writable_bytes(std::span(bytes))))
    fail(source.name(), "the file became shorter while it was read");
  return bytes;
}

struct Directory {
  uint64_t offset = 0, size = 0, entries = 0;
};

Directory findDirectory(const ByteSource& source) {
  // The end record stands last, before a comment of up to 64 kB.
  const uint64_t tail_size = std::min<uint64_t>(source.size(), kEndSize + 65535);
  const uint64_t tail_offset = source.size() - tail_size;
  const std::string tail = readRange(source, tail_offset, tail_size);
  const Bytes bytes = asBytes(tail);
  for (size_t i = tail_size < kEndSize ? 0 : tail_size - kEndSize + 1; i-- > 0;) {
    if (at<uint32_t>(bytes, i) != kEnd) continue;
    Directory directory{at<uint32_t>(bytes, i + 16), at<uint32_t>(bytes, i + 12),
                        at<uint16_t>(bytes, i + 10)};
    const bool is_64 = directory.offset == 0xffffffff || directory.size == 0xffffffff ||
                       directory.entries == 0xffff;
    if (!is_64) return directory;
    if (i < kLocatorSize || at<uint32_t>(bytes, i - kLocatorSize) != kEnd64Locator)
      fail(source.name(), "its ZIP64 directory is not there");
    const std::string end =
        readRange(source, at<uint64_t>(bytes, i - kLocatorSize + 8), kEnd64Size);
    if (at<uint32_t>(asBytes(end), 0) != kEnd64)
      fail(source.name(), "its ZIP64 directory is not there");
    return {at<uint64_t>(asBytes(end), 48), at<uint64_t>(asBytes(end), 40),
            at<uint64_t>(asBytes(end), 32)};
  }
  fail(source.name(), "not a ZIP file, or its end is missing");
}

// Replaces the fields that did not fit into 32 bits by those of the ZIP64 extra field, in its
// order.
void takeZip64(Bytes extra, ZipEntry& entry, const std::string& name) {
  while (extra.size() >= 4) {
    const auto id = at<uint16_t>(extra, 0), size = at<uint16_t>(extra, 2);
    if (size > extra.size() - 4) break;
    if (id != 1) {
      extra = extra.subspan(4 + static_cast<size_t>(size));
      continue;
    }
    ByteCursor cursor(extra.subspan(4, size));
    for (uint64_t* field : {&entry.size, &entry.compressed_size, &entry.header_offset}) {
      if (*field != 0xffffffff) continue;
      const auto value = cursor.take<uint64_t>();
      if (!value) fail(name, "a ZIP64 entry lacks its size");
      *field = *value;
    }
    return;
  }
}

std::string inflated(const std::string& data, uint64_t size, const std::string& name) {
  // Deflate gives at most 1032 bytes for one.
  if (size / 1032 > data.size()) fail(name, "an entry promises more than its data can hold");
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail(name, "cannot be inflated");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  uint64_t in_left = data.size(), out_left = size;
  int result = Z_OK;
  while (result == Z_OK) {  // zlib counts in 32 bits
    constexpr uint64_t kStep = uint64_t{1} << 30;
    const auto in_now = static_cast<uInt>(std::min(in_left, kStep));
    const auto out_now = static_cast<uInt>(std::min(out_left, kStep));
    stream.avail_in = in_now;
    stream.avail_out = out_now;
    result = inflate(&stream, Z_NO_FLUSH);
    in_left -= in_now - stream.avail_in;
    out_left -= out_now - stream.avail_out;
    if (in_now == stream.avail_in && out_now == stream.avail_out) break;  // no progress
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || out_left != 0) fail(name, "an entry is damaged");
  return out;
}

}  // namespace

ZipReader::ZipReader(const ByteSource& source) : source_(source) {
  const Directory directory = findDirectory(source);
  if (directory.size > kMaxDirectory || directory.entries > directory.size / kCentralSize)
    fail(source.name(), "its directory has an impossible size");
  const std::string text = readRange(source, directory.offset, directory.size);
  Bytes rest = asBytes(text);
  for (uint64_t i = 0; i < directory.entries; ++i) {
    if (rest.size() < kCentralSize || at<uint32_t>(rest, 0) != kCentralHeader)
      fail(source.name(), "its directory is damaged");
    const size_t name = at<uint16_t>(rest, 28), extra = at<uint16_t>(rest, 30),
                 comment = at<uint16_t>(rest, 32);
    if (rest.size() - kCentralSize < name + extra + comment)
      fail(source.name(), "its directory is damaged");
    ZipEntry entry{.name = std::string(asText(rest.subspan(kCentralSize, name))),
                   .method = at<uint16_t>(rest, 10),
                   .compressed_size = at<uint32_t>(rest, 20),
                   .size = at<uint32_t>(rest, 24),
                   .crc = at<uint32_t>(rest, 16),
                   .header_offset = at<uint32_t>(rest, 42)};
    takeZip64(rest.subspan(kCentralSize + name, extra), entry, source.name());
    if ((at<uint16_t>(rest, 8) & 1) != 0) fail(source.name(), "it is encrypted");
    entries_.push_back(std::move(entry));
    rest = rest.subspan(kCentralSize + name + extra + comment);
  }
}

const ZipEntry* ZipReader::find(const std::string& name) const {
  for (const ZipEntry& entry : entries_)
    if (entry.name == name) return &entry;
  return nullptr;
}

std::string ZipReader::read(const ZipEntry& entry, uint64_t max_bytes) const {
  const std::string name = source_.name() + ":" + entry.name;
  if (entry.size > max_bytes)
    fail(name,
         fmt::format("has {} bytes, more than the {} that are accepted", entry.size, max_bytes));
  const std::string header = readRange(source_, entry.header_offset, kLocalSize);
  if (at<uint32_t>(asBytes(header), 0) != kLocalHeader) fail(name, "its header is not there");
  // Both lengths of the local header count; they may differ from the directory's (PyTorch pads).
  const uint64_t begin = entry.header_offset + kLocalSize + at<uint16_t>(asBytes(header), 26) +
                         at<uint16_t>(asBytes(header), 28);
  if (entry.method == 0 && entry.compressed_size != entry.size)
    fail(name, "is stored with two different sizes");
  std::string bytes = readRange(source_, begin, entry.compressed_size);
  if (entry.method == 8) bytes = inflated(bytes, entry.size, name);
  else if (entry.method != 0) fail(name, fmt::format("compression {} is not read", entry.method));
  if (crc32Of(asBytes(bytes)) != entry.crc) fail(name, "its checksum is wrong");
  return bytes;
}

}  // namespace gs
