// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gs/core/bytes.hpp"

namespace gs {

// Memory to be written into: growing neither fills it with zeros nor gives memory back, so that one
// buffer can take chunk after chunk without the kernel clearing pages for each.
class ScratchBuffer {
 public:
  // The content is lost when the capacity does not suffice.
  std::span<std::byte> ofSize(size_t size) {
    if (size > capacity_) {
      memory_.reset();  // first, so that the old and the new never exist together
      capacity_ = 0;
      memory_ = std::make_unique_for_overwrite<std::byte[]>(size);
      capacity_ = size;
    }
    return {memory_.get(), size};
  }
  // As ofSize, but the first `kept` bytes stay.
  std::span<std::byte> grownTo(size_t size, size_t kept);
  size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  size_t capacity_ = 0;
};

// What went wrong, empty when nothing did. The data must be one whole frame (zstd: one or more)
// that gives exactly `size` bytes. A size that so little data cannot give is refused before memory
// is asked for, and a doubtful one is given memory only as far as the data really goes. `out` is
// set to the bytes, which live in `buffer`.
[[nodiscard]] std::string decompressZstd(Bytes data, size_t size, ScratchBuffer& buffer,
                                         Bytes& out);
[[nodiscard]] std::string decompressLz4(Bytes data, size_t size, ScratchBuffer& buffer, Bytes& out);

// Append one frame to `out`; the same input gives the same bytes.
void compressZstd(Bytes data, int level, std::string& out);
void compressLz4(Bytes data, int level, std::string& out);

}  // namespace gs
