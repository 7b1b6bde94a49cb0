// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace {

void decodeRaw(gs::Bytes bytes) {
  const auto message = gs::findCdr<gs::msgs::Image>(bytes);
  if (!message) return;
  const gs::Image8 image = gs::decodeRawImage(gs::viewImage(*message), "fuzz");
  GS_CHECK(image.pixels.size() == image.rowSize() * image.height);
}

void decodeCompressed(gs::Bytes bytes) {
  // Decoding is linear in the pixels; large images only make the fuzzer slow.
  const auto size = gs::findCompressedSize(bytes);
  if (size && static_cast<int64_t>(size->width) * size->height > 1'000'000) return;
  gs::decodeCompressedImage(bytes, "fuzz", gs::DamagedJpeg::Accept);
  gs::decodeCompressedImage(bytes, "fuzz", gs::DamagedJpeg::Refuse);
}

}  // namespace

// A sensor_msgs/Image (they begin with two zero bytes or 00 01), or the bytes of a compressed one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const gs::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    if (size > 0 && data[0] == 0) decodeRaw(bytes);
    else decodeCompressed(bytes);
  } catch (const gs::Error&) {
  }
  return 0;
}
