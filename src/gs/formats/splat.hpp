// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "gs/core/bytes.hpp"

namespace gs {

// One record of a `.splat` file (the format of the antimatter15 web viewer): nothing but these 32
// bytes per splat, without header or magic. It has no view-dependent colour.
struct SplatRecord {
  std::array<float, 3> position;
  std::array<float, 3> scale;  // linear
  std::array<uint8_t, 4> rgba;
  std::array<uint8_t, 4> rotation;  // w, x, y, z, each (q + 1) * 128

  std::array<float, 4> rotationXyzw() const;  // only roughly of unit length
};
static_assert(sizeof(SplatRecord) == 32);

// Number of records; throws gs::Error (INPUT_INVALID, component "splat") when the size is zero or
// no multiple of 32: that is not a `.splat` file, or not all of it.
uint64_t countSplatRecords(const ByteSource& source);

// Calls body(first, records) for blocks that cover all records once, from several threads: a body
// may write only what belongs to its own records.
void readSplatRecords(
    const ByteSource& source,
    const std::function<void(uint64_t first, std::span<const SplatRecord> records)>& body);

}  // namespace gs
