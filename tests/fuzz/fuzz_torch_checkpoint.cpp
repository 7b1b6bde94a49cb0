// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/core/bytes.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/torch_checkpoint.hpp"

// A file of torch.save as a whole; and the same bytes as a pickle, which checksums hide otherwise.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const gs::Bytes bytes{reinterpret_cast<const std::byte*>(data), size};
  try {
    const gs::TorchCheckpoint checkpoint(gs::openMemory(bytes));
    for (const std::string& key : checkpoint.keysAt({"models", "Background"}))
      if (const auto tensor = checkpoint.findTensor({"models", "Background", key})) {
        uint64_t count = 1;
        for (const uint64_t extent : tensor->shape) count *= extent;
        GS_CHECK(tensor->values.size() == count);
      }
  } catch (const gs::Error&) {
  }
  try {
    const gs::Pickle pickle = gs::parsePickle(bytes, "pickle");
    GS_CHECK(pickle.root != nullptr);
  } catch (const gs::Error&) {
  }
  return 0;
}
