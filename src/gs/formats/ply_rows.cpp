// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <memory>

#include "gs/core/parallel.hpp"
#include "gs/formats/ply.hpp"
#include "gs/formats/ply_failure.hpp"

namespace gs {
namespace {

// Small enough to stay in a core's L2 cache between read() and the caller's copy.
constexpr size_t kBlockBytes = size_t{256} << 10;
constexpr size_t kBlocksPerTask = 16;  // a task's buffer is allocated once per 4 MiB

size_t rowsPerBlock(size_t row_size) {
  return std::max<size_t>(1, kBlockBytes / std::max<size_t>(1, row_size));
}

std::unique_ptr<std::byte[]> uninitialised(size_t bytes) {
  return std::make_unique_for_overwrite<std::byte[]>(bytes);
}

template <typename T>
float toFloat(const std::byte* at, bool swap) {
  std::array<std::byte, sizeof(T)> raw;
  std::copy_n(at, sizeof(T), raw.begin());
  if (swap) std::reverse(raw.begin(), raw.end());
  return static_cast<float>(std::bit_cast<T>(raw));
}

float decodeScalar(PlyType type, const std::byte* at, bool swap) {
  switch (type) {
    case PlyType::Int8: return toFloat<int8_t>(at, swap);
    case PlyType::Uint8: return toFloat<uint8_t>(at, swap);
    case PlyType::Int16: return toFloat<int16_t>(at, swap);
    case PlyType::Uint16: return toFloat<uint16_t>(at, swap);
    case PlyType::Int32: return toFloat<int32_t>(at, swap);
    case PlyType::Uint32: return toFloat<uint32_t>(at, swap);
    case PlyType::Float32: return toFloat<float>(at, swap);
    case PlyType::Float64: return toFloat<double>(at, swap);
  }
  return 0;
}

// The words of an ASCII body, one after the other, whatever their lines: some writers wrap rows.
class WordStream {
 public:
  WordStream(const ByteSource& source, uint64_t offset, const PlyFailure& failure)
      : source_(source), failure_(failure), offset_(offset), buffer_(kBlockBytes, '\0') {}

  float nextFloat() {
    std::string_view word = nextWord();
    const std::string_view original = word;
    if (word.starts_with('+')) word.remove_prefix(1);
    float value = 0;
    if (const auto error = parse(word, value); error == std::errc::result_out_of_range) {
      double wide = 0;  // beyond float: becomes 0 or infinity, as in a binary file of doubles
      if (parse(word, wide) != std::errc()) notANumber(original);
      value = static_cast<float>(wide);
    } else if (error != std::errc()) {
      notANumber(original);
    }
    return value;
  }

  void skip(const PlyElement& element) {
    if (element.properties.empty()) return;  // else an empty row, 10^18 times
    for (uint64_t row = 0; row < element.count; ++row)
      for (const PlyProperty& property : element.properties)
        for (uint64_t left = property.list_count ? nextLength() : 1; left > 0; --left) nextWord();
  }

 private:
  template <typename T>
  static std::errc parse(std::string_view word, T& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end != word.data() + word.size())
      return std::errc::invalid_argument;
    return error;
  }

  [[noreturn]] void notANumber(std::string_view word) const {
    std::string shown;  // a binary body under an ASCII header ends here: keep the message readable
    for (const char c : word.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
    failure_.fail("value", "'" + shown + "' is not a number");
  }

  uint64_t nextLength() {
    uint64_t length = 0;
    const std::string_view word = nextWord();
    if (parse(word, length) != std::errc()) notANumber(word);
    return length;
  }

  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  std::string_view nextWord() {
    while (true) {
      while (begin_ < end_ && isBlank(buffer_[begin_])) ++begin_;
      size_t end = begin_;
      while (end < end_ && !isBlank(buffer_[end])) ++end;
      const bool is_whole = end < end_ || (is_at_end_ && end > begin_);
      if (is_whole) {
        const std::string_view word(buffer_.data() + begin_, end - begin_);
        begin_ = end;
        return word;
      }
      if (is_at_end_) failure_.fail("truncated", "it ends before its last row");
      refill();
    }
  }

  // Moves the unfinished word to the front and reads on behind it.
  void refill() {
    std::copy(buffer_.begin() + static_cast<ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) notANumber(buffer_);
    const auto room = std::span(buffer_).subspan(end_);
    const size_t got = source_.readSomeAt(offset_, std::as_writable_bytes(room));
    is_at_end_ = got < room.size();
    offset_ += got;
    end_ += got;
  }

  const ByteSource& source_;
  const PlyFailure& failure_;
  uint64_t offset_;
  std::string buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  bool is_at_end_ = false;
};

using ColumnsBody = std::function<void(uint64_t first_row, std::span<const float> values)>;

void readAsciiColumns(const ByteSource& source, const PlyHeader& header, const PlyElement& element,
                      std::span<const size_t> columns, const ColumnsBody& body,
                      const PlyFailure& failure) {
  // A number takes at least a digit and a blank, so the file's size bounds the rows it can hold.
  const uint64_t words_at_most = (source.size() - header.body_offset) / 2 + 1;
  const size_t words_per_row = element.properties.size();
  if (words_per_row == 0 || element.count > words_at_most / words_per_row)
    failure.fail("truncated", "it is too short for the rows its header promises");
  WordStream words(source, header.body_offset, failure);
  for (const PlyElement& before : header.elements) {
    if (&before == &element) break;
    words.skip(before);
  }
  const size_t block = rowsPerBlock(words_per_row * sizeof(float));
  std::vector<float> row(words_per_row);
  std::vector<float> values;
  for (uint64_t first = 0; first < element.count; first += block) {
    values.clear();
    for (uint64_t i = first; i < std::min<uint64_t>(element.count, first + block); ++i) {
      for (float& value : row) value = words.nextFloat();
      for (const size_t column : columns) values.push_back(row[column]);
    }
    body(first, values);
  }
}

void readBinaryColumns(const ByteSource& source, const PlyRows& rows, bool swap,
                       const PlyElement& element, std::span<const size_t> columns,
                       const ColumnsBody& body, const PlyFailure& failure) {
  const size_t block = rowsPerBlock(rows.row_size);
  const auto buffer = uninitialised(block * rows.row_size);
  std::vector<float> values;
  for (uint64_t first = 0; first < rows.count; first += block) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(block, rows.count - first));
    const std::span bytes(buffer.get(), count * rows.row_size);
    if (!source.readAt(rows.offset + first * rows.row_size, bytes))
      failure.fail("truncated", "it became shorter while it was read");
    values.clear();
    for (size_t i = 0; i < count; ++i)
      for (const size_t column : columns) {
        const PlyProperty& property = element.properties[column];
        values.push_back(
            decodeScalar(property.type, bytes.data() + i * rows.row_size + property.offset, swap));
      }
    body(first, values);
  }
}

}  // namespace

PlyRows findPlyRows(const ByteSource& source, const PlyHeader& header, const PlyElement& element,
                    std::string_view component) {
  const PlyFailure failure{source.name(), component};
  uint64_t offset = header.body_offset;
  for (const PlyElement& each : header.elements) {
    if (each.has_list)
      failure.fail("format", "element '" + each.name.substr(0, 80) + "' has rows of variable size");
    // Division, because count * row_size may not fit in 64 bits.
    if (each.row_size > 0 && each.count > (source.size() - offset) / each.row_size)
      failure.fail("truncated", "element '" + each.name.substr(0, 80) + "' promises " +
                                    std::to_string(each.count) + " rows of " +
                                    std::to_string(each.row_size) + " bytes, more than there are");
    if (&each == &element) break;
    offset += each.count * each.row_size;
  }
  return {.offset = offset, .count = element.count, .row_size = element.row_size};
}

void readPlyBlocks(const ByteSource& source, const PlyRows& rows,
                   const std::function<void(uint64_t first_row, Bytes rows)>& body,
                   std::string_view component) {
  if (rows.row_size == 0) return;
  const size_t block = rowsPerBlock(rows.row_size);
  parallelFor(rows.count, block * kBlocksPerTask, [&](size_t begin, size_t end) {
    const auto buffer = uninitialised(std::min(block, end - begin) * rows.row_size);
    for (size_t first = begin; first < end; first += block) {
      const std::span bytes(buffer.get(), std::min(block, end - first) * rows.row_size);
      if (!source.readAt(rows.offset + first * rows.row_size, bytes))
        PlyFailure{source.name(), component}.fail("truncated",
                                                  "it became shorter while it was read");
      body(first, bytes);
    }
  });
}

void readPlyColumns(const ByteSource& source, const PlyHeader& header, const PlyElement& element,
                    std::span<const size_t> columns, const ColumnsBody& body,
                    std::string_view component) {
  const PlyFailure failure{source.name(), component};
  if (element.has_list)
    failure.fail("format", "element '" + element.name.substr(0, 80) + "' has list properties");
  if (header.format == PlyFormat::Ascii)
    return readAsciiColumns(source, header, element, columns, body, failure);
  const PlyRows rows = findPlyRows(source, header, element, component);
  readBinaryColumns(source, rows, header.format == PlyFormat::BinaryBigEndian, element, columns,
                    body, failure);
}

}  // namespace gs
