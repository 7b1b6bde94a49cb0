// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/core/bytes.hpp"

namespace gs {

// The CRC-32 of zlib, PNG and MCAP. `crc` is that of the bytes before (0 when there are none), so a
// long text may be fed in pieces.
uint32_t crc32Of(Bytes bytes, uint32_t crc = 0);

// zlib's: the definition, several times slower than what crc32Of uses where the CPU can.
uint32_t crc32Reference(Bytes bytes, uint32_t crc = 0);

}  // namespace gs
