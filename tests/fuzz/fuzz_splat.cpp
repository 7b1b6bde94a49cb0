// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/core/bytes.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/splat.hpp"

// Records of a .splat file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = gs::openMemory({reinterpret_cast<const std::byte*>(data), size});
  try {
    gs::readSplatRecords(*source, [](uint64_t, std::span<const gs::SplatRecord> records) {
      for (const gs::SplatRecord& record : records) static_cast<void>(record.rotationXyzw());
    });
  } catch (const gs::Error&) {
  }
  return 0;
}
