// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

static_assert(std::endian::native == std::endian::little,
              "bundle files are little endian and are read as they lie");

namespace gs {

using Bytes = std::span<const std::byte>;

inline Bytes asBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view asText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where a parser reads from: any place, any size, no need to hold it all in memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  virtual const std::string& name() const = 0;  // for messages: the path
  // Up to out.size() bytes from `offset`; fewer only at the end. Safe from many threads.
  // Throws gs::Error when the medium fails.
  virtual size_t readSomeAt(uint64_t offset, std::span<std::byte> out) const = 0;

  // All of out, or false when the source ends before.
  bool readAt(uint64_t offset, std::span<std::byte> out) const {
    return readSomeAt(offset, out) == out.size();
  }
};

// Throws gs::Error (INPUT_INVALID) when there is no readable regular file at `path`.
std::unique_ptr<ByteSource> openFile(const std::filesystem::path& path);
// Refers to `bytes`, which must outlive it.
std::unique_ptr<ByteSource> openMemory(Bytes bytes, std::string name = "memory");

// Walks over bytes, never past their end: a short read gives nothing and the cursor stays.
class ByteCursor {
 public:
  explicit ByteCursor(Bytes bytes) : rest_(bytes) {}

  size_t left() const { return rest_.size(); }

  std::optional<Bytes> take(size_t count) {
    if (count > rest_.size()) return std::nullopt;
    const Bytes taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  template <typename T>
  requires std::is_trivially_copyable_v<T> std::optional<T> take() {
    const auto bytes = take(sizeof(T));
    if (!bytes) return std::nullopt;
    T value;
    std::memcpy(&value, bytes->data(), sizeof value);
    return value;
  }

 private:
  Bytes rest_;
};

// Appends the bytes of a trivially copyable value to a container of bytes or chars.
template <typename Container, typename T>
requires std::is_trivially_copyable_v<T>
void appendBytes(Container& out, const T& value) {
  const size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

}  // namespace gs
