// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/ply.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "gs/core/error.hpp"
#include "gs/formats/ply_failure.hpp"

namespace gs {
namespace {

constexpr auto kTypeNames =
    std::to_array<std::pair<std::string_view, PlyType>>({{"char", PlyType::Int8},
                                                         {"int8", PlyType::Int8},
                                                         {"uchar", PlyType::Uint8},
                                                         {"uint8", PlyType::Uint8},
                                                         {"short", PlyType::Int16},
                                                         {"int16", PlyType::Int16},
                                                         {"ushort", PlyType::Uint16},
                                                         {"uint16", PlyType::Uint16},
                                                         {"int", PlyType::Int32},
                                                         {"int32", PlyType::Int32},
                                                         {"uint", PlyType::Uint32},
                                                         {"uint32", PlyType::Uint32},
                                                         {"float", PlyType::Float32},
                                                         {"float32", PlyType::Float32},
                                                         {"double", PlyType::Float64},
                                                         {"float64", PlyType::Float64}});

constexpr auto kFormatNames = std::to_array<std::pair<std::string_view, PlyFormat>>(
    {{"ascii", PlyFormat::Ascii},
     {"binary_little_endian", PlyFormat::BinaryLittleEndian},
     {"binary_big_endian", PlyFormat::BinaryBigEndian}});

template <typename T, size_t N>
std::optional<T> findWord(const std::array<std::pair<std::string_view, T>, N>& table,
                          std::string_view word) {
  for (const auto& [known, value] : table)
    if (known == word) return value;
  return std::nullopt;
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlanks = " \t";
  for (size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

// Turns the lines between "ply" and "end_header" into a PlyHeader.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const PlyFailure& failure)
      : text_(text), rest_(text), failure_(failure) {}

  PlyHeader parse() {
    if (nextLine() != "ply") fail("it does not begin with 'ply'");
    while (true) {
      const std::string_view line = nextLine();
      const auto words = wordsOf(line);
      if (words.empty()) continue;
      if (words[0] == "end_header") break;
      parseLine(line, words);
    }
    if (!has_format_) fail("it has no format line");
    for (const PlyElement& element : header_.elements) checkNames(element);
    header_.body_offset = text_.size() - rest_.size();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { failure_.fail("header", why); }

  std::string_view nextLine() {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos)
      fail(text_.size() >= kMaxPlyHeaderBytes ? "its header is longer than 1 MiB"
                                              : "its header has no end_header");
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void parseLine(std::string_view line, const std::vector<std::string_view>& words) {
    if (words[0] == "comment") {
      const size_t begin = line.find("comment") + 7;
      header_.comments.emplace_back(line.substr(std::min(begin + 1, line.size())));
    } else if (words[0] == "format") {
      parseFormat(words);
    } else if (words[0] == "element") {
      parseElement(words);
    } else if (words[0] == "property") {
      parseProperty(words);
    } else if (words[0] != "obj_info") {
      fail("its header has the unknown line '" + std::string(line.substr(0, 80)) + "'");
    }
  }

  void parseFormat(const std::vector<std::string_view>& words) {
    const auto format = words.size() == 3 ? findWord(kFormatNames, words[1]) : std::nullopt;
    if (!format || words[2] != "1.0" || has_format_) fail("its format line makes no sense");
    header_.format = *format;
    has_format_ = true;
  }

  void parseElement(const std::vector<std::string_view>& words) {
    if (words.size() != 3) fail("an element line needs a name and a count");
    PlyElement element{.name = std::string(words[1])};
    const auto [end, error] =
        std::from_chars(words[2].data(), words[2].data() + words[2].size(), element.count);
    if (error != std::errc() || end != words[2].data() + words[2].size())
      fail("the count of element '" + element.name.substr(0, 80) + "' is not a number");
    if (header_.elements.size() == kMaxPlyProperties || header_.findElement(element.name))
      fail("element '" + element.name.substr(0, 80) + "' is listed twice or is one too many");
    header_.elements.push_back(std::move(element));
  }

  void parseProperty(const std::vector<std::string_view>& words) {
    if (header_.elements.empty()) fail("a property stands before any element");
    if (++property_count_ > kMaxPlyProperties) fail("it has more than 1000 properties");
    PlyElement& element = header_.elements.back();
    const bool is_list = words.size() == 5 && words[1] == "list";
    const auto type =
        words.size() == 3 || is_list ? findWord(kTypeNames, words[words.size() - 2]) : std::nullopt;
    const auto list_count = is_list ? findWord(kTypeNames, words[2]) : std::nullopt;
    const bool is_length = list_count && *list_count < PlyType::Float32;
    if (!type || (is_list && !is_length))
      fail("property '" + std::string(words.back().substr(0, 80)) + "' has an unknown type");
    element.properties.push_back({.name = std::string(words.back()),
                                  .type = *type,
                                  .list_count = list_count,
                                  .offset = element.row_size});
    element.has_list |= is_list;
    if (!is_list) element.row_size += sizeOf(*type);
  }

  void checkNames(const PlyElement& element) const {
    std::set<std::string_view> names;
    for (const PlyProperty& property : element.properties)
      if (!names.insert(property.name).second)
        fail("property '" + property.name.substr(0, 80) + "' is listed twice");
  }

  std::string_view text_;
  std::string_view rest_;
  const PlyFailure& failure_;
  PlyHeader header_;
  bool has_format_ = false;
  size_t property_count_ = 0;
};

}  // namespace

void PlyFailure::fail(const char* problem, const std::string& why) const {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = std::string(component),
               .message = "'" + file + "' is not a usable PLY: " + why,
               .details = {{"file", file}, {"problem", problem}},
               .suggestion = "Check that the file is complete, or write it again."});
}

size_t sizeOf(PlyType type) {
  switch (type) {
    case PlyType::Int8:
    case PlyType::Uint8: return 1;
    case PlyType::Int16:
    case PlyType::Uint16: return 2;
    case PlyType::Int32:
    case PlyType::Uint32:
    case PlyType::Float32: return 4;
    case PlyType::Float64: return 8;
  }
  return 0;
}

std::string_view toString(PlyFormat format) {
  for (const auto& [word, known] : kFormatNames)
    if (known == format) return word;
  return {};
}

std::optional<size_t> PlyElement::findProperty(std::string_view property_name) const {
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property_name) return i;
  return std::nullopt;
}

const PlyElement* PlyHeader::findElement(std::string_view element_name) const {
  for (const PlyElement& element : elements)
    if (element.name == element_name) return &element;
  return nullptr;
}

PlyHeader readPlyHeader(const ByteSource& source, std::string_view component) {
  std::string text(std::min<uint64_t>(source.size(), kMaxPlyHeaderBytes), '\0');
  text.resize(source.readSomeAt(0, std::as_writable_bytes(std::span(text.data(), text.size()))));
  const PlyFailure failure{source.name(), component};
  return HeaderParser(text, failure).parse();
}

}  // namespace gs
