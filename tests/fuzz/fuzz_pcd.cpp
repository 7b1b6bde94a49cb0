// SPDX-License-Identifier: Apache-2.0
#include "gs/core/error.hpp"
#include "gs/formats/pcd.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gs::Bytes bytes = std::as_bytes(std::span(data, size));
    gs::encodePcd(gs::readPcd(*gs::openMemory(bytes)));
  } catch (const gs::Error&) {
  }
  return 0;
}
