// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gs/core/bytes.hpp"
#include "gs/core/image.hpp"
#include "gs/formats/jpeg.hpp"

// Camera images as ROS sends them. The message structs live in gs/msgs, which this room may not
// name, so the template at the end takes any struct of the shape of sensor_msgs/Image.
namespace gs {

// Refers to the message, which must outlive it.
struct RawImage {
  uint32_t width = 0;
  uint32_t height = 0;
  std::string_view encoding;
  bool is_bigendian = false;  // counts for mono16 only
  uint32_t step = 0;          // bytes from one row to the next
  Bytes data;
};

// Grey for mono8 and mono16 (its upper byte), RGB for rgb8, bgr8, rgba8, bgra8 (alpha is lost),
// bayer_{rggb,bggr,gbrg,grbg}8 (bilinear), yuv422 alias uyvy, and yuv422_yuy2 alias yuyv (BT.601,
// studio range, the numbers of OpenCV and so of cv_bridge). 8UC1 is mono8; 8UC3 is bgr8, as OpenCV
// has it. Throws gs::Error (INPUT_INVALID, component "image_codec") for another encoding, a step
// shorter than a row, or too little data.
Image8 decodeRawImage(const RawImage& image, const std::string& name);

// JPEG or PNG, told apart by the data: the `format` text of sensor_msgs/CompressedImage has too
// many dialects. A PNG may be grey, RGB or RGBA. Throws as decodeJpeg and decodePng do.
Image8 decodeCompressedImage(Bytes data, const std::string& name,
                             DamagedJpeg damaged = DamagedJpeg::Refuse);

// Of a JPEG or PNG, from its header alone; empty when it is neither.
std::optional<ImageSize> findCompressedSize(Bytes data);

constexpr size_t kMaxRawPixels = size_t{1} << 28;

template <typename Message>
RawImage viewImage(const Message& message) {
  return {.width = message.width,
          .height = message.height,
          .encoding = message.encoding,
          .is_bigendian = message.is_bigendian != 0,
          .step = message.step,
          .data = std::as_bytes(std::span(message.data))};
}

}  // namespace gs
