// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

struct ZipEntry {
  std::string name;
  uint16_t method = 0;  // 0 stored, 8 deflated
  uint64_t compressed_size = 0, size = 0;
  uint32_t crc = 0;
  uint64_t header_offset = 0;  // of the local header
};

// A ZIP archive, ZIP64 included, read through its central directory. Everything in it is checked
// before it is believed; errors are gs::Error (INPUT_INVALID, component "zip").
class ZipReader {
 public:
  explicit ZipReader(const ByteSource& source);  // refers to it

  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* find(const std::string& name) const;
  // The bytes of an entry, checksum verified. Refuses what is larger than `max_bytes`, encrypted,
  // or compressed by another method than deflate.
  std::string read(const ZipEntry& entry, uint64_t max_bytes) const;

 private:
  const ByteSource& source_;
  std::vector<ZipEntry> entries_;
};

}  // namespace gs
