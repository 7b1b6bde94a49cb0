// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gs/formats/compression.hpp"
#include "gs/formats/mcap_parse.hpp"

namespace gs {

// Beyond this a chunk is a problem, not an allocation.
constexpr uint64_t kMcapMaxChunkBytes = uint64_t{1} << 30;

// Where the bytes of one block of messages live after loading. Reused from block to block.
struct McapBlockMemory {
  ScratchBuffer stored;
  ScratchBuffer records;
  size_t capacity() const { return stored.capacity() + records.capacity(); }
};

// Decompresses and checks the records of a chunk. `stored` holds chunk.records or may be unrelated.
// Empty when all is well, otherwise what is wrong; then `out` is not set.
[[nodiscard]] std::string unpackMcapChunk(const McapChunk& chunk, ScratchBuffer& buffer,
                                          Bytes& out);

// The records of the chunk record at [offset, offset + length) of a file.
[[nodiscard]] std::string loadMcapChunk(const ByteSource& source, uint64_t offset, uint64_t length,
                                        McapBlockMemory& memory, Bytes& out);

}  // namespace gs
