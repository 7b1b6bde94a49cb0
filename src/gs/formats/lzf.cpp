// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/lzf.hpp"

#include <algorithm>

namespace gs {

// A control byte below 32 is followed by that many bytes + 1 as they are. Otherwise its upper three
// bits are a length - 2 (7: one more byte is added) and its lower five, with the byte behind, how
// far back the copy begins - 1. A copy may overlap what it writes: that is how runs are coded.
bool decompressLzf(Bytes packed, std::span<std::byte> out) {
  ByteCursor in(packed);
  size_t at = 0;
  while (const auto control = in.take<uint8_t>()) {
    if (*control < 32) {
      const auto literal = in.take(*control + size_t{1});
      if (!literal || literal->size() > out.size() - at) return false;
      std::copy(literal->begin(), literal->end(), out.begin() + static_cast<std::ptrdiff_t>(at));
      at += literal->size();
      continue;
    }
    size_t length = *control >> 5;
    if (length == 7) {
      const auto more = in.take<uint8_t>();
      if (!more) return false;
      length += *more;
    }
    length += 2;
    const auto low = in.take<uint8_t>();
    if (!low) return false;
    const size_t back = (static_cast<size_t>(*control & 31) << 8) + *low + 1;
    if (back > at || length > out.size() - at) return false;
    for (size_t i = 0; i < length; ++i, ++at) out[at] = out[at - back];
  }
  return at == out.size();
}

}  // namespace gs
