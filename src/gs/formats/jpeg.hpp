// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/image.hpp"

namespace gs {

// From the header alone, without decoding; empty when there is none to be found.
std::optional<ImageSize> findJpegSize(Bytes bytes);

// A camera that loses its last packet still sends half an image. Refuse is right for training;
// Accept gives what can be decoded, the rest grey.
enum class DamagedJpeg { Refuse, Accept };

// Grey stays grey, everything else becomes RGB. Throws gs::Error (INPUT_INVALID, component "jpeg")
// for anything that is not a whole, sound JPEG, and for one that claims more pixels than
// kMaxJpegPixels or than its bytes could ever describe.
Image8 decodeJpeg(Bytes bytes, const std::string& name, DamagedJpeg damaged = DamagedJpeg::Refuse);

// Quality 1 .. 100. Grey, RGB or RGBA (alpha is lost); colour at half resolution below quality 90.
std::vector<std::byte> encodeJpeg(const Image8& image, int quality = 90);

constexpr size_t kMaxJpegPixels = size_t{1} << 28;

}  // namespace gs
