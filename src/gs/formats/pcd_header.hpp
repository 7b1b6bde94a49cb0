// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs::detail {

struct PcdField {
  std::string name;
  char type = 'F';  // I, U or F
  int size = 4;     // bytes: 1, 2, 4 or 8
  uint64_t count = 1;
  uint64_t offset = 0;        // within a record
  uint64_t first_column = 0;  // of an ascii line

  uint64_t bytes() const { return static_cast<uint64_t>(size) * count; }
};

struct PcdHeader {
  enum class Data { Ascii, Binary, BinaryCompressed };

  std::vector<PcdField> fields;
  uint64_t points = 0;
  uint64_t stride = 0;   // bytes of a binary record
  uint64_t columns = 0;  // words of an ascii line
  uint64_t data_offset = 0;
  Data data = Data::Ascii;

  const PcdField* find(std::string_view name) const;
};

[[noreturn]] void failPcd(const std::string& file, const char* problem, const std::string& why);

// Consistent when it returns: every field has a type, and stride and columns fit their limits.
PcdHeader readPcdHeader(const ByteSource& source);

// The next word of a line, taken off its front; empty at the end.
std::string_view takeWord(std::string_view& line);

}  // namespace gs::detail
