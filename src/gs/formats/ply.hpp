// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

enum class PlyFormat { Ascii, BinaryLittleEndian, BinaryBigEndian };
enum class PlyType { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

size_t sizeOf(PlyType type);
std::string_view toString(PlyFormat format);  // as in the file: "binary_little_endian"

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::Float32;
  std::optional<PlyType> list_count;  // a list: the type of its length; `type` is that of its items
  size_t offset = 0;                  // bytes from the start of a binary row; scalars only
};

struct PlyElement {
  std::string name;
  uint64_t count = 0;
  std::vector<PlyProperty> properties;
  size_t row_size = 0;    // bytes of a binary row without its lists
  bool has_list = false;  // rows differ in size

  std::optional<size_t> findProperty(std::string_view property_name) const;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::Ascii;
  std::vector<PlyElement> elements;
  std::vector<std::string> comments;  // without the word "comment"; obj_info lines are not kept
  uint64_t body_offset = 0;           // the first byte after end_header and its line end

  const PlyElement* findElement(std::string_view element_name) const;
};

constexpr size_t kMaxPlyHeaderBytes = size_t{1} << 20;
constexpr size_t kMaxPlyProperties = 1000;  // of all elements together

// All functions below throw gs::Error (INPUT_INVALID) whose component is `component`, the part of
// the program that needs the file, and whose details.problem is one of
//   "header"     not a PLY, or a header that makes no sense
//   "format"     a layout that cannot be read here: rows of variable size
//   "truncated"  fewer bytes than the header promises
//   "value"      ASCII only: something that is no number
// Lines end with LF or CR LF. A header is text about sizes, not a reason to allocate them.
PlyHeader readPlyHeader(const ByteSource& source, std::string_view component = "ply");

// The rows of one element of a binary file: complete, all of one size.
struct PlyRows {
  uint64_t offset = 0;  // of the first row, from the start of the file
  uint64_t count = 0;
  size_t row_size = 0;
};

// Elements after `element` are ignored; those before it are skipped, which needs rows of fixed
// size.
PlyRows findPlyRows(const ByteSource& source, const PlyHeader& header, const PlyElement& element,
                    std::string_view component = "ply");

// Calls body(first_row, rows) for blocks of whole rows that cover all rows once. Blocks are read
// and handed out by several threads: a body may write only what belongs to its own rows.
void readPlyBlocks(const ByteSource& source, const PlyRows& rows,
                   const std::function<void(uint64_t first_row, Bytes rows)>& body,
                   std::string_view component = "ply");

// Any format and any scalar type, for import: the chosen properties (indices into
// element.properties) of each row as floats, row after row, in blocks, from one thread. Checks
// first that the file is long enough for `element.count` rows, so that the caller may then allocate
// them.
void readPlyColumns(
    const ByteSource& source, const PlyHeader& header, const PlyElement& element,
    std::span<const size_t> columns,
    const std::function<void(uint64_t first_row, std::span<const float> values)>& body,
    std::string_view component = "ply");

}  // namespace gs
