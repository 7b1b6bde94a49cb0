// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/spz.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <zlib.h>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr size_t kChunk = size_t{64} << 10;
constexpr uint32_t kMagic = 0x5053474e;  // "NGSP"
constexpr int kMaxFileShDegree = 4;

[[noreturn]] void fail(const std::string& name, const std::string& why,
                       const std::string& suggestion = "Export the file again.") {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "spz",
               .message = "'" + name + "' is not a usable .spz file: " + why,
               .details = {{"file", name}},
               .suggestion = suggestion});
}

// Unzips a source piece by piece: the caller decides how much to take.
class GzipStream {
 public:
  explicit GzipStream(const ByteSource& source) : source_(source), input_(kChunk) {
    GS_CHECK(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK);  // 16: gzip, checksum verified
  }
  ~GzipStream() { inflateEnd(&stream_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  // Fills `out` as far as the stream goes; returns how far. Throws when the stream is damaged.
  size_t read(std::span<uint8_t> out) {
    size_t done = 0;
    while (done < out.size() && !is_at_end_) {
      if (stream_.avail_in == 0) refill();
      const auto room = static_cast<uInt>(std::min<size_t>(out.size() - done, kChunk));
      stream_.next_out = out.data() + done;
      stream_.avail_out = room;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END)
        fail(source_.name(), "its gzip data is damaged");
      is_at_end_ = result == Z_STREAM_END;
      done += room - stream_.avail_out;
    }
    return done;
  }

 private:
  void refill() {
    const size_t got = source_.readSomeAt(offset_, std::as_writable_bytes(std::span(input_)));
    if (got == 0) fail(source_.name(), "its gzip data ends too early");
    offset_ += got;
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<uInt>(got);
  }

  const ByteSource& source_;
  std::vector<uint8_t> input_;
  z_stream stream_{};
  uint64_t offset_ = 0;
  bool is_at_end_ = false;
};

constexpr size_t coefficientsOf(int degree) {
  return static_cast<size_t>((degree + 1) * (degree + 1) - 1);
}

// Bytes of one splat's attributes, in the order in which the file stores their arrays.
struct Layout {
  explicit Layout(int version, int sh_degree)
      : position(version == 1 ? 6 : 9),
        rotation(version >= 3 ? 4 : 3),
        sh(3 * coefficientsOf(sh_degree)) {}
  size_t position;
  size_t alpha = 1;
  size_t color = 3;
  size_t scale = 3;
  size_t rotation;
  size_t sh;

  size_t total() const { return position + alpha + color + scale + rotation + sh; }
};

float halfToFloat(const uint8_t* at) {
  const int bits = at[0] | at[1] << 8;
  const int exponent = bits >> 10 & 31;
  const auto mantissa = static_cast<float>(bits & 1023);
  float value =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) value = mantissa == 0 ? INFINITY : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}

// 24-bit two's complement with `fractional_bits` behind the point.
float fixedToFloat(const uint8_t* at, int fractional_bits) {
  const uint32_t high = static_cast<uint32_t>(at[0]) << 8 | static_cast<uint32_t>(at[1]) << 16 |
                        static_cast<uint32_t>(at[2]) << 24;
  return std::ldexp(static_cast<float>(static_cast<int32_t>(high) >> 8), -fractional_bits);
}

// Versions 1 and 2: x, y, z as bytes; w >= 0 follows from the unit length.
std::array<float, 4> decodeFirstThree(const uint8_t* at) {
  std::array<float, 4> q{};
  float left = 1;
  for (size_t i = 0; i < 3; ++i) {
    q[i] = static_cast<float>(at[i]) / 127.5f - 1.f;
    left -= q[i] * q[i];
  }
  q[3] = std::sqrt(std::max(0.f, left));
  return q;
}

// Version 3: two bits name the largest component, which is positive and follows from the unit
// length; the others, last one lowest, have a sign bit and nine bits of a value up to sqrt(1/2).
std::array<float, 4> decodeSmallestThree(const uint8_t* at) {
  uint32_t bits = static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 |
                  static_cast<uint32_t>(at[2]) << 16 | static_cast<uint32_t>(at[3]) << 24;
  const size_t largest = bits >> 30;
  std::array<float, 4> q{};
  float left = 1;
  for (size_t i = 4; i-- > 0;) {
    if (i == largest) continue;
    const float size = static_cast<float>(bits & 511) / 511.f * 0.70710678f;
    q[i] = (bits & 512) != 0 ? -size : size;
    left -= q[i] * q[i];
    bits >>= 10;
  }
  q[largest] = std::sqrt(std::max(0.f, left));
  return q;
}

}  // namespace

SpzFile::SpzFile(const ByteSource& source) {
  GzipStream stream(source);
  std::array<uint8_t, 16> header;
  if (stream.read(header) < header.size()) fail(source.name(), "it has no header");
  ByteCursor cursor(std::as_bytes(std::span(header)));
  if (*cursor.take<uint32_t>() != kMagic) fail(source.name(), "its gzip data is not SPZ");
  const auto version = *cursor.take<uint32_t>();
  const auto count = *cursor.take<uint32_t>();
  if (version < 1 || version > 3)
    fail(source.name(), "its version is " + std::to_string(version) + ", not 1, 2 or 3",
         "Save it as SPZ version 3 or as PLY.");
  version_ = static_cast<int>(version);
  file_sh_degree_ = header[12];
  fractional_bits_ = header[13];
  is_antialiased_ = (header[14] & 1) != 0;
  if (file_sh_degree_ > kMaxFileShDegree || fractional_bits_ > 24)
    fail(source.name(), "its header makes no sense");
  if (count > kMaxSpzSplats)
    fail(source.name(), "it promises " + std::to_string(count) + " splats",
         "Split it into files of at most 100 million splats.");
  count_ = count;

  // Deflate shrinks at most 1032 times; beyond that the promise is a lie, whatever follows.
  const size_t total = count_ * Layout(version_, file_sh_degree_).total();
  if (total / 1032 > source.size()) fail(source.name(), "it is too short for its splats");
  while (bytes_.size() < total) {
    const size_t before = bytes_.size();
    bytes_.resize(std::min(total, std::max(before * 2, kChunk)));
    if (stream.read(std::span(bytes_).subspan(before)) < bytes_.size() - before)
      fail(source.name(), "it is too short for its splats");
  }
  // Extension records may follow. Reading to the end also verifies the checksum.
  std::vector<uint8_t> rest(kChunk);
  if (stream.read(rest) == rest.size()) fail(source.name(), "it goes on long after its last splat");
}

int SpzFile::shDegree() const { return std::min(file_sh_degree_, 3); }

bool SpzFile::hasDroppedBand() const { return file_sh_degree_ > 3; }

const uint8_t* SpzFile::attribute(size_t offset, size_t size, size_t i) const {
  return bytes_.data() + offset * count_ + size * i;
}

SpzSplat SpzFile::at(size_t i) const {
  const Layout layout(version_, file_sh_degree_);
  size_t offset = 0;
  const auto next = [&](size_t size) {
    const uint8_t* found = attribute(offset, size, i);
    offset += size;
    return found;
  };
  SpzSplat splat{};
  const uint8_t* position = next(layout.position);
  splat.opacity = static_cast<float>(*next(layout.alpha)) / 255.f;
  const uint8_t* color = next(layout.color);
  const uint8_t* scale = next(layout.scale);
  const uint8_t* rotation = next(layout.rotation);
  const uint8_t* sh = next(layout.sh);
  for (size_t axis = 0; axis < 3; ++axis) {
    splat.position[axis] = version_ == 1 ? halfToFloat(position + 2 * axis)
                                         : fixedToFloat(position + 3 * axis, fractional_bits_);
    splat.log_scale[axis] = static_cast<float>(scale[axis]) / 16.f - 10.f;
    splat.sh_dc[axis] = (static_cast<float>(color[axis]) / 255.f - 0.5f) / 0.15f;
  }
  splat.rotation = version_ >= 3 ? decodeSmallestThree(rotation) : decodeFirstThree(rotation);
  for (size_t k = 0; k < coefficientsOf(shDegree()); ++k)
    for (size_t channel = 0; channel < 3; ++channel)
      splat.sh_rest[k][channel] = (static_cast<float>(sh[3 * k + channel]) - 128.f) / 128.f;
  return splat;
}

}  // namespace gs
