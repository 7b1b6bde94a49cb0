// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/png.hpp"

#include <cstring>

#include <png.h>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "png",
               .message = "'" + name + "' is not a usable PNG: " + why,
               .details = {{"file", name}},
               .suggestion = "Write the image again as 8-bit PNG."});
}

}  // namespace

// The signature, then the IHDR chunk: length, name, width, height, big endian.
std::optional<ImageSize> findPngSize(Bytes bytes) {
  using namespace std::literals;
  constexpr std::string_view kBegin = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv;
  if (bytes.size() < kBegin.size() + 8 || !asText(bytes).starts_with(kBegin)) return std::nullopt;
  const auto* at = reinterpret_cast<png_const_bytep>(bytes.data() + kBegin.size());
  const png_uint_32 width = png_get_uint_32(at), height = png_get_uint_32(at + 4);
  if (width == 0 || height == 0 || width > PNG_UINT_31_MAX || height > PNG_UINT_31_MAX)
    return std::nullopt;
  return ImageSize{static_cast<int>(width), static_cast<int>(height)};
}

Image8 decodePng(Bytes bytes, const std::string& name) {
  png_image header;
  std::memset(&header, 0, sizeof header);
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0)
    fail(name, header.message);
  if (static_cast<size_t>(header.width) * header.height > kMaxPngPixels) {
    png_image_free(&header);
    fail(name, "it has more pixels than any image of a world needs");
  }
  const bool has_color = (header.format & PNG_FORMAT_FLAG_COLOR) != 0;
  const bool has_alpha = (header.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  header.format = has_alpha ? PNG_FORMAT_RGBA : has_color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Image8 image(static_cast<int>(header.width), static_cast<int>(header.height),
               has_alpha   ? 4
               : has_color ? 3
                           : 1);
  if (png_image_finish_read(&header, nullptr, image.pixels.data(),
                            static_cast<png_int_32>(image.rowSize()), nullptr) == 0)
    fail(name, header.message);
  // A warning means damaged data was papered over (a truncated or corrupt stream).
  if (PNG_IMAGE_FAILED(header) || header.warning_or_error != 0) fail(name, header.message);
  return image;
}

std::string encodePng(const Image8& image) {
  const bool is_known = image.channels == 1 || image.channels == 3 || image.channels == 4;
  GS_CHECK(is_known);
  png_image header;
  std::memset(&header, 0, sizeof header);
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = image.channels == 1   ? PNG_FORMAT_GRAY
                  : image.channels == 3 ? PNG_FORMAT_RGB
                                        : PNG_FORMAT_RGBA;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
  png_alloc_size_t size = bytes.size();
  GS_CHECK(png_image_write_to_memory(&header, bytes.data(), &size, 0, image.pixels.data(), 0,
                                     nullptr) != 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace gs
