// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/image_codec.hpp"

#include <algorithm>
#include <array>

#include "gs/core/error.hpp"
#include "gs/formats/bayer.hpp"
#include "gs/formats/png.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "image_codec",
               .message = "the image of '" + name + "' cannot be read: " + why,
               .details = {{"name", name}, {"problem", why}}});
}

// One row of the message to one row of the result.
using ConvertRow = void (*)(const uint8_t* in, int width, uint8_t* out);

template <int Channels, int Red, int Green, int Blue>
void pickRgb(const uint8_t* in, int width, uint8_t* out) {
  for (int x = 0; x < width; ++x, in += Channels, out += 3) {
    out[0] = in[Red];
    out[1] = in[Green];
    out[2] = in[Blue];
  }
}

void copyGrey(const uint8_t* in, int width, uint8_t* out) { std::copy_n(in, width, out); }

template <int UpperByte>
void upperBytes(const uint8_t* in, int width, uint8_t* out) {
  for (int x = 0; x < width; ++x) out[x] = in[2 * x + UpperByte];
}

// ITU-R BT.601, studio range, in OpenCV's 20-bit fixed point, to agree with it to the last bit.
void yuvToRgb(int y, int u, int v, uint8_t* rgb) {
  const int luma = std::max(0, y - 16) * 1220542 + (1 << 19);
  const auto clamped = [](int value) {
    return static_cast<uint8_t>(std::clamp(value >> 20, 0, 255));
  };
  rgb[0] = clamped(luma + 1673527 * (v - 128));
  rgb[1] = clamped(luma - 852492 * (v - 128) - 409993 * (u - 128));
  rgb[2] = clamped(luma + 2116026 * (u - 128));
}

template <int Y, int U, int V>
void yuv422Row(const uint8_t* in, int width, uint8_t* out) {
  for (int x = 0; x < width; ++x) {
    const uint8_t* pair = in + 4 * (x / 2);
    yuvToRgb(pair[Y + 2 * (x % 2)], pair[U], pair[V], out + 3 * x);
  }
}

struct Encoding {
  std::string_view name;
  int channels;  // of the result
  int in_bytes;  // per pixel
  ConvertRow convert;
};

constexpr std::array<Encoding, 14> kEncodings = {{
    {"rgb8", 3, 3, pickRgb<3, 0, 1, 2>},
    {"bgr8", 3, 3, pickRgb<3, 2, 1, 0>},
    {"8UC3", 3, 3, pickRgb<3, 2, 1, 0>},
    {"rgba8", 3, 4, pickRgb<4, 0, 1, 2>},
    {"bgra8", 3, 4, pickRgb<4, 2, 1, 0>},
    {"mono8", 1, 1, copyGrey},
    {"8UC1", 1, 1, copyGrey},
    {"mono16", 1, 2, upperBytes<1>},
    {"yuv422", 3, 2, yuv422Row<1, 0, 2>},
    {"uyvy", 3, 2, yuv422Row<1, 0, 2>},
    {"yuv422_yuy2", 3, 2, yuv422Row<0, 1, 3>},
    {"yuyv", 3, 2, yuv422Row<0, 1, 3>},
    {"bayer", 3, 1, nullptr},
    {"mono16 big endian", 1, 2, upperBytes<0>},
}};

const Encoding* findEncoding(const RawImage& image) {
  std::string_view name = image.encoding;
  if (findBayerPattern(name)) name = "bayer";
  else if (name == "bayer" || name == "mono16 big endian") return nullptr;  // not names of ROS
  if (name == "mono16" && image.is_bigendian) name = "mono16 big endian";
  const auto* known = std::find_if(kEncodings.begin(), kEncodings.end(),
                                   [name](const Encoding& e) { return e.name == name; });
  return known == kEncodings.end() ? nullptr : known;
}

void checkSize(const RawImage& image, const Encoding& encoding, const std::string& name) {
  if (image.width == 0 || image.height == 0) fail(name, "it has no pixels");
  if (uint64_t{image.width} * image.height > kMaxRawPixels) fail(name, "it is too large");
  const bool is_yuv = encoding.name.starts_with("yu") || encoding.name == "uyvy";
  if (is_yuv && image.width % 2 != 0) fail(name, "two pixels share a colour, but its width is odd");
  const uint64_t row_bytes = uint64_t{image.width} * encoding.in_bytes;
  if (image.step < row_bytes)
    fail(name, "step is " + std::to_string(image.step) + ", a row has " +
                   std::to_string(row_bytes) + " bytes");
  // The padding of the last row may be missing.
  const uint64_t needed = uint64_t{image.height - 1} * image.step + row_bytes;
  if (image.data.size() < needed)
    fail(name,
         "it has " + std::to_string(image.data.size()) + " bytes of " + std::to_string(needed));
}

}  // namespace

Image8 decodeRawImage(const RawImage& raw, const std::string& name) {
  const Encoding* encoding = findEncoding(raw);
  if (!encoding) fail(name, "its encoding '" + std::string(raw.encoding) + "' is not known");
  checkSize(raw, *encoding, name);
  const auto* data = reinterpret_cast<const uint8_t*>(raw.data.data());
  Image8 image(static_cast<int>(raw.width), static_cast<int>(raw.height), encoding->channels);
  if (const auto pattern = findBayerPattern(raw.encoding)) {
    demosaic(data, raw.step, *pattern, image);
    return image;
  }
  for (int y = 0; y < image.height; ++y)
    encoding->convert(data + static_cast<size_t>(y) * raw.step, image.width, image.row(y).data());
  return image;
}

Image8 decodeCompressedImage(Bytes data, const std::string& name, DamagedJpeg damaged) {
  const std::string_view text = asText(data);
  if (text.starts_with("\xff\xd8")) return decodeJpeg(data, name, damaged);
  if (text.starts_with("\x89PNG")) return decodePng(data, name);
  fail(name, "it is neither JPEG nor PNG");
}

std::optional<ImageSize> findCompressedSize(Bytes data) {
  const auto size = findPngSize(data);
  return size ? size : findJpegSize(data);
}

}  // namespace gs
