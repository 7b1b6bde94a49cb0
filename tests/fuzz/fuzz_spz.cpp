// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gs/core/bytes.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/spz.hpp"

// Gzip stream, header and quantised splats of a .spz file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = gs::openMemory({reinterpret_cast<const std::byte*>(data), size});
  try {
    const gs::SpzFile file(*source);
    for (size_t i = 0; i < file.size(); ++i) {
      const gs::SpzSplat splat = file.at(i);
      for (const float q : splat.rotation) GS_CHECK(std::isfinite(q));
    }
  } catch (const gs::Error&) {
  }
  return 0;
}
