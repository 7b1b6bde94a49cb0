// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/pcd_header.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "gs/core/error.hpp"
#include "gs/formats/pcd.hpp"

namespace gs::detail {
namespace {

constexpr size_t kMaxFields = 1000;

// What the header lines say, before they are compared with each other.
struct Lines {
  std::vector<std::string> names, sizes, types, counts;
  std::optional<uint64_t> width, height, points;
  std::string data;
  uint64_t data_offset = 0;
};

std::optional<uint64_t> findNumber(std::string_view word) {
  uint64_t value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  for (std::string_view word = takeWord(line); !word.empty(); word = takeWord(line))
    words.emplace_back(word);
  return words;
}

class HeaderParser {
 public:
  explicit HeaderParser(const std::string& file) : file_(file) {}

  // The lines up to and with DATA.
  Lines parse(std::string_view text) {
    size_t at = 0;
    while (lines_.data.empty()) {
      const size_t end = text.find('\n', at);
      if (end == std::string_view::npos)
        fail("there is no DATA line within the first " + std::to_string(text.size()) + " bytes");
      parseLine(text.substr(at, end - at));
      at = end + 1;
    }
    lines_.data_offset = at;
    return std::move(lines_);
  }

 private:
  void parseLine(std::string_view line) {
    std::string_view rest = line;
    const std::string_view key = takeWord(rest);
    if (key.empty() || key.front() == '#') return;
    if (key == "VERSION") checkVersion(rest);
    else if (key == "FIELDS" || key == "COLUMNS") lines_.names = wordsOf(rest);
    else if (key == "SIZE") lines_.sizes = wordsOf(rest);
    else if (key == "TYPE") lines_.types = wordsOf(rest);
    else if (key == "COUNT") lines_.counts = wordsOf(rest);
    else if (key == "WIDTH") lines_.width = number(key, rest);
    else if (key == "HEIGHT") lines_.height = number(key, rest);
    else if (key == "POINTS") lines_.points = number(key, rest);
    else if (key == "DATA") lines_.data = takeWord(rest).empty() ? "?" : wordsOf(line)[1];
    else if (key != "VIEWPOINT")
      fail("'" + std::string(key.substr(0, 40)) + "' begins no line of a PCD header");
  }

  void checkVersion(std::string_view rest) {
    const std::string_view word = takeWord(rest);
    for (const char* known : {"0.7", ".7", "0.6", ".6", "0.5", ".5"})
      if (word == known) return;
    fail("its version is '" + std::string(word.substr(0, 40)) + "', not 0.7");
  }

  uint64_t number(std::string_view key, std::string_view rest) {
    const auto value = findNumber(takeWord(rest));
    if (!value) fail(std::string(key) + " is not a whole number");
    return *value;
  }

  [[noreturn]] void fail(const std::string& why) { failPcd(file_, "header", why); }

  const std::string& file_;
  Lines lines_;
};

PcdField makeField(const Lines& lines, size_t i, const std::string& file) {
  PcdField field{.name = lines.names[i]};
  const auto size = findNumber(lines.sizes[i]);
  const auto count = lines.counts.empty() ? 1 : findNumber(lines.counts[i]);
  const std::string& type = lines.types[i];
  const bool is_size = size && (*size == 1 || *size == 2 || *size == 4 || *size == 8);
  const bool is_type = type == "I" || type == "U" || (type == "F" && is_size && *size >= 4);
  if (!is_size || !is_type || !count || *count == 0)
    failPcd(file, "header",
            "field '" + field.name.substr(0, 40) + "' has an impossible SIZE, TYPE or COUNT");
  field.size = static_cast<int>(*size);
  field.type = type.front();
  field.count = *count;
  return field;
}

void addFields(const Lines& lines, PcdHeader& header, const std::string& file) {
  const size_t n = lines.names.size();
  if (n == 0 || n > kMaxFields || lines.sizes.size() != n || lines.types.size() != n ||
      (!lines.counts.empty() && lines.counts.size() != n))
    failPcd(file, "header", "FIELDS, SIZE, TYPE and COUNT do not have the same number of words");
  for (size_t i = 0; i < n; ++i) {
    PcdField field = makeField(lines, i, file);
    if (field.count > kMaxPcdRecordBytes || header.stride + field.bytes() > kMaxPcdRecordBytes)
      failPcd(file, "unsupported", "one point takes more than a megabyte");
    field.offset = header.stride;
    field.first_column = header.columns;
    header.stride += field.bytes();
    header.columns += field.count;
    header.fields.push_back(std::move(field));
  }
}

void addPointCount(const Lines& lines, PcdHeader& header, const std::string& file) {
  const uint64_t height = lines.height.value_or(1);
  uint64_t grid = 0;
  const bool has_grid = lines.width.has_value();
  if (has_grid && __builtin_mul_overflow(*lines.width, height, &grid))
    failPcd(file, "header", "WIDTH times HEIGHT is beyond any number of points");
  if (!has_grid && !lines.points) failPcd(file, "header", "neither POINTS nor WIDTH is there");
  if (has_grid && lines.points && grid != *lines.points)
    failPcd(file, "header",
            "POINTS is " + std::to_string(*lines.points) + ", but WIDTH times HEIGHT is " +
                std::to_string(grid));
  header.points = lines.points.value_or(grid);
}

}  // namespace

std::string_view takeWord(std::string_view& line) {
  constexpr std::string_view kSpace = " \t\r\v\f";
  const size_t begin = std::min(line.find_first_not_of(kSpace), line.size());
  const size_t end = std::min(line.find_first_of(kSpace, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

const PcdField* PcdHeader::find(std::string_view name) const {
  for (const PcdField& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

void failPcd(const std::string& file, const char* problem, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "pcd",
               .message = "'" + file + "' is not a usable point cloud: " + why,
               .details = {{"file", file}, {"problem", problem}},
               .suggestion = "Write the cloud again as binary PCD 0.7 with the fields x y z."});
}

PcdHeader readPcdHeader(const ByteSource& source) {
  std::string text(std::min<uint64_t>(source.size(), kMaxPcdHeaderBytes), '\0');
  text.resize(source.readSomeAt(0, std::as_writable_bytes(std::span(text.data(), text.size()))));
  const Lines lines = HeaderParser(source.name()).parse(text);
  PcdHeader header{.data_offset = lines.data_offset};
  addFields(lines, header, source.name());
  addPointCount(lines, header, source.name());
  if (lines.data == "ascii") header.data = PcdHeader::Data::Ascii;
  else if (lines.data == "binary") header.data = PcdHeader::Data::Binary;
  else if (lines.data == "binary_compressed") header.data = PcdHeader::Data::BinaryCompressed;
  else failPcd(source.name(), "unsupported", "DATA is '" + lines.data.substr(0, 40) + "'");
  return header;
}

}  // namespace gs::detail
