// SPDX-License-Identifier: Apache-2.0
// A target with a bug or two, to prove that the replay names the input.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= 5 && memcmp(data, "throw", 5) == 0) throw std::runtime_error("not a gs::Error");
  if (size >= 5 && memcmp(data, "crash", 5) == 0) {
    const volatile uint8_t* nowhere = reinterpret_cast<const uint8_t*>(size);
    return *nowhere;
  }
  return 0;
}
