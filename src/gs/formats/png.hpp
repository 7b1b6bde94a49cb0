// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gs/core/bytes.hpp"
#include "gs/core/image.hpp"

namespace gs {

// From the header alone, without decoding; empty when there is none to be found.
std::optional<ImageSize> findPngSize(Bytes bytes);

// 8-bit grey, RGB or RGBA; palettes, 16-bit samples and interlacing are converted while reading.
// Throws gs::Error (INPUT_INVALID, component "png") for anything that is not a whole, sound PNG,
// and for images beyond kMaxPngPixels: a header of 30 bytes must not allocate gigabytes.
Image8 decodePng(Bytes bytes, const std::string& name);
std::string encodePng(const Image8& image);  // the same bytes for the same pixels, always

constexpr size_t kMaxPngPixels = size_t{1} << 28;

}  // namespace gs
