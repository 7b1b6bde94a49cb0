// SPDX-License-Identifier: Apache-2.0
// Any bytes either decode to an image that survives a round trip, or are refused with gs::Error.
#include <cstdint>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/png.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gs::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
    const gs::Image8 image = gs::decodePng(bytes, "fuzz.png");
    const std::string encoded = gs::encodePng(image);
    const gs::Image8 again = gs::decodePng(gs::asBytes(encoded), "again.png");
    GS_CHECK(again == image);
  } catch (const gs::Error&) {
  }
  return 0;
}
