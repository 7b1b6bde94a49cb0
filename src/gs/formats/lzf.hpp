// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/bytes.hpp"

namespace gs {

// Marc Lehmann's LZF, as in binary_compressed PCD files: true when `packed` is sound and fills
// `out` exactly. Never reads or writes outside the two.
bool decompressLzf(Bytes packed, std::span<std::byte> out);

// A run of three bytes gives at most 264: a block cannot claim to hold more than this many times
// its own size.
constexpr size_t kMaxLzfRatio = 88;

}  // namespace gs
