// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/import_splats.hpp"
#include "gs/core/bytes.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

// Recognition and conversion of every kind of file; what no magic claims is a .splat.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source =
      gs::openMemory({reinterpret_cast<const std::byte*>(data), size}, "input.splat");
  try {
    const gs::ImportedSplats imported = gs::importSplats(*source);
    GS_CHECK(gs::findDefects(imported.cloud).empty());  // the promise of the header
  } catch (const gs::Error&) {
  }
  return 0;
}
