// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/jpeg.hpp"

#include <algorithm>
#include <memory>

#include <turbojpeg.h>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "jpeg",
               .message = "'" + name + "' is not a usable JPEG: " + why,
               .details = {{"file", name}},
               .suggestion = "Leave this image out, or write it again."});
}

struct DestroyHandle {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Handle = std::unique_ptr<void, DestroyHandle>;

struct Header {
  int width = 0;
  int height = 0;
  bool is_grey = false;
};

std::optional<Header> findHeader(tjhandle handle, Bytes bytes) {
  Header header;
  int subsampling = 0, colours = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (tjDecompressHeader3(handle, data, bytes.size(), &header.width, &header.height, &subsampling,
                          &colours) != 0)
    return std::nullopt;
  header.is_grey = colours == TJCS_GRAY;
  return header;
}

// Huffman coding spends at least a bit on each block of 64 pixels, which is 512 to the byte;
// arithmetic coding can do better. Sixteen times that is no image, but a bomb.
bool isPlausible(const Header& header, Bytes bytes) {
  const size_t pixels = static_cast<size_t>(header.width) * header.height;
  return pixels <= kMaxJpegPixels && pixels / 8192 <= bytes.size();
}

}  // namespace

std::optional<ImageSize> findJpegSize(Bytes bytes) {
  const Handle handle(tjInitDecompress());
  GS_CHECK((handle != nullptr) == true);
  const auto header = findHeader(handle.get(), bytes);
  if (!header) return std::nullopt;
  return ImageSize{header->width, header->height};
}

Image8 decodeJpeg(Bytes bytes, const std::string& name, DamagedJpeg damaged) {
  const Handle handle(tjInitDecompress());
  GS_CHECK((handle != nullptr) == true);
  const auto header = findHeader(handle.get(), bytes);
  if (!header) fail(name, tjGetErrorStr2(handle.get()));
  if (!isPlausible(*header, bytes)) fail(name, "it claims more pixels than it can hold");

  Image8 image(header->width, header->height, header->is_grey ? 1 : 3);
  // Progressive images with thousands of scans decode for minutes, hence the limit.
  const int flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS |
                    (damaged == DamagedJpeg::Refuse ? TJFLAG_STOPONWARNING : 0);
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const int failed =
      tjDecompress2(handle.get(), data, bytes.size(), image.pixels.data(), image.width, 0,
                    image.height, header->is_grey ? TJPF_GRAY : TJPF_RGB, flags);
  const bool is_warning = tjGetErrorCode(handle.get()) == TJERR_WARNING;
  if (failed != 0 && !(is_warning && damaged == DamagedJpeg::Accept))
    fail(name, tjGetErrorStr2(handle.get()));
  return image;
}

std::vector<std::byte> encodeJpeg(const Image8& image, int quality) {
  GS_CHECK((image.width > 0 && image.height > 0) == true);
  GS_CHECK((image.channels == 1 || image.channels == 3 || image.channels == 4) == true);
  const int format = image.channels == 1 ? TJPF_GRAY : image.channels == 3 ? TJPF_RGB : TJPF_RGBA;
  const int subsampling = image.channels == 1 ? TJSAMP_GRAY
                          : quality < 90      ? TJSAMP_420
                                              : TJSAMP_444;
  const Handle handle(tjInitCompress());
  GS_CHECK((handle != nullptr) == true);
  unsigned long size = tjBufSize(image.width, image.height, subsampling);
  std::vector<std::byte> bytes(size);
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  const int failed = tjCompress2(handle.get(), image.pixels.data(), image.width, 0, image.height,
                                 format, &out, &size, subsampling, std::clamp(quality, 1, 100),
                                 TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC);
  GS_CHECK(failed == 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace gs
