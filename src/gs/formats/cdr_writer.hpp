// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "gs/formats/cdr_types.hpp"

namespace gs {

// Encodes one message; use encodeCdr() of cdr.hpp.
class CdrWriter {
 public:
  explicit CdrWriter(std::vector<std::byte>& out) : out_(out) {
    out_.assign({std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}});  // CDR, little endian
  }

  template <typename T>
  void write(const T& value) {
    if constexpr (std::same_as<T, bool>) {
      out_.push_back(std::byte{value});
    } else if constexpr (CdrNumber<T>) {
      writeNumbers(&value, 1);
    } else if constexpr (CdrText<T>) {
      write(static_cast<uint32_t>(value.size() + 1));
      append(value.c_str(), value.size() + 1);
    } else if constexpr (CdrSequence<T>) {
      write(static_cast<uint32_t>(value.size()));
      writeElements(value);
    } else if constexpr (CdrArray<T>) {
      writeElements(value);
    } else {
      writeFields(value);
    }
  }

 private:
  template <typename T>
  void writeElements(const T& values) {
    using Element = typename T::value_type;
    if constexpr (CdrNumber<Element>) {
      if (!values.empty()) writeNumbers(values.data(), values.size());  // empty: no padding either
    } else {
      for (const Element& value : values) write(value);
    }
  }

  template <HasFields T>
  void writeFields(const T& value) {
    bool is_empty = true;
    T::fields(value, [&](const char*, const auto& field, FieldTraits = {}) {
      is_empty = false;
      write(field);
    });
    if (is_empty) out_.push_back(std::byte{0});  // IDL has no empty structs, so ROS adds a member
  }

  // Alignment counts from the end of the header; padding is zero.
  template <CdrNumber T>
  void writeNumbers(const T* values, size_t count) {
    const size_t past = (out_.size() - 4) % sizeof(T);
    if (past != 0) out_.resize(out_.size() + sizeof(T) - past);
    append(values, count * sizeof(T));
  }

  void append(const void* bytes, size_t count) {
    const auto* first = static_cast<const std::byte*>(bytes);
    out_.insert(out_.end(), first, first + count);
  }

  std::vector<std::byte>& out_;
};

}  // namespace gs
