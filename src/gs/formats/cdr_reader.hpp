// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "gs/core/bytes.hpp"
#include "gs/formats/cdr_types.hpp"

namespace gs {

// Decodes one message; use findCdr() or decodeCdr() of cdr.hpp. No count is believed before it is
// checked against the bytes that are left.
class CdrReader {
 public:
  explicit CdrReader(Bytes bytes) {
    // The last two bytes are options (Cyclone counts its padding there) and mean nothing to us.
    if (bytes.size() < 4) {
      problem_ = "it is shorter than its header";
    } else if (bytes[0] != std::byte{0} || bytes[1] > std::byte{1}) {
      problem_ = "its encoding is not plain CDR";
    } else {
      swap_ = bytes[1] == std::byte{0};
      body_ = bytes.subspan(4);
    }
  }

  // Where and why reading failed: "fields[2].name: the message ends here".
  std::string problem() const { return path_.empty() ? problem_ : path_ + ": " + problem_; }

  template <typename T>
  bool read(T& value) {
    if (!problem_.empty()) return false;
    if constexpr (std::same_as<T, bool>) {
      uint8_t byte = 0;
      if (!readNumbers(&byte, 1)) return false;
      value = byte != 0;  // anything but 0 is true: some senders write 255
      return true;
    } else if constexpr (CdrNumber<T>) {
      return readNumbers(&value, 1);
    } else if constexpr (CdrText<T>) {
      return readText(value);
    } else if constexpr (CdrSequence<T>) {
      return readSequence(value);
    } else if constexpr (CdrArray<T>) {
      return readElements(value);
    } else {
      return readFields(value);
    }
  }

 private:
  size_t left() const { return body_.size() - at_; }

  bool fail(const char* why) {
    problem_ = why;
    return false;
  }

  template <CdrNumber T>
  bool align() {
    const size_t past = at_ % sizeof(T);
    const size_t padding = past == 0 ? 0 : sizeof(T) - past;
    if (padding > left()) return fail("the message ends here");
    at_ += padding;
    return true;
  }

  template <CdrNumber T>
  bool readNumbers(T* values, size_t count) {
    if (!align<T>()) return false;
    if (count > left() / sizeof(T)) return fail("the message ends here");
    std::memcpy(values, body_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    if constexpr (sizeof(T) > 1) {
      if (swap_)
        for (size_t i = 0; i < count; ++i) {
          auto* bytes = reinterpret_cast<std::byte*>(values + i);
          std::reverse(bytes, bytes + sizeof(T));
        }
    }
    return true;
  }

  // The count includes a final NUL. Some senders count 0 for "", or leave the NUL out.
  template <CdrText T>
  bool readText(T& text) {
    uint32_t count = 0;
    if (!readNumbers(&count, 1)) return false;
    if (count > left()) return fail("a text is longer than the message");
    std::string_view bytes = asText(body_.subspan(at_, count));
    at_ += count;
    if (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
    if constexpr (CdrBounded<T>) {
      if (bytes.size() > T::kMaxSize) return fail("a text is longer than its type allows");
    }
    text.assign(bytes);
    return true;
  }

  template <CdrSequence T>
  bool readSequence(T& values) {
    using Element = typename T::value_type;
    uint32_t count = 0;
    if (!readNumbers(&count, 1)) return false;
    if (count > left() / minCdrSize<Element>())
      return fail("a list has more elements than the message has bytes for");
    if constexpr (CdrBounded<T>) {
      if (count > T::kMaxSize) return fail("a list has more elements than its type allows");
    }
    if constexpr (CdrNumber<Element> && sizeof(Element) == 1) {
      // assign() copies straight into new memory; resize() would fill it with zeros first.
      const auto* first = reinterpret_cast<const Element*>(body_.data() + at_);
      values.assign(first, first + count);
      at_ += count;
      return true;
    } else {
      values.resize(count);
      return count == 0 || readElements(values);  // empty: no padding either
    }
  }

  template <typename T>
  bool readElements(T& values) {
    using Element = typename T::value_type;
    if constexpr (CdrNumber<Element>) {
      return values.empty() || readNumbers(values.data(), values.size());
    } else if constexpr (std::same_as<T, std::vector<bool>>) {
      for (size_t i = 0; i < values.size(); ++i) {
        bool value = false;
        if (!read(value)) return false;
        values[i] = value;
      }
      return true;
    } else {
      for (size_t i = 0; i < values.size(); ++i)
        if (!read(values[i])) {
          const std::string index = "[" + std::to_string(i) + "]";
          path_ = path_.empty() ? index : index + "." + path_;
          return false;
        }
      return true;
    }
  }

  template <HasFields T>
  bool readFields(T& value) {
    bool is_empty = true;
    T::fields(value, [&](const char* name, auto& field, FieldTraits = {}) {
      is_empty = false;
      if (!problem_.empty() || read(field)) return;
      path_ = path_.empty() || path_.front() == '[' ? name + path_ : name + ("." + path_);
    });
    if (is_empty && left() > 0) ++at_;  // the one byte of an empty struct; some leave it out
    return problem_.empty();
  }

  Bytes body_;
  size_t at_ = 0;  // in body_, so that alignment counts from the end of the header
  bool swap_ = false;
  std::string path_;
  std::string problem_;
};

}  // namespace gs
