// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

// One splat of a `.spz` file with its quantisation undone.
struct SpzSplat {
  std::array<float, 3> position;
  std::array<float, 3> log_scale;
  std::array<float, 4> rotation;  // x, y, z, w; only roughly of unit length
  float opacity;                  // linear, 0 and 1 included
  std::array<float, 3> sh_dc;
  // [coefficient][channel], as the file has them; those beyond the file's degree are 0.
  std::array<std::array<float, 3>, 15> sh_rest;
};

// A `.spz` file (Niantic Spatial's format, versions 1 to 3) unzipped but still quantised, about a
// quarter of what the floats take. Its axes are right, up, back, as the format prescribes.
class SpzFile {
 public:
  // Throws gs::Error (INPUT_INVALID, component "spz"). Memory grows with the data that really comes
  // out of the gzip stream, never beyond what the header's count needs.
  explicit SpzFile(const ByteSource& source);

  size_t size() const { return count_; }
  int version() const { return version_; }
  // 0 to 3: what at() delivers. Files of degree 4 lose their last band, see hasDroppedBand().
  int shDegree() const;
  bool hasDroppedBand() const;
  bool isAntialiased() const { return is_antialiased_; }
  SpzSplat at(size_t i) const;

 private:
  const uint8_t* attribute(size_t offset, size_t size, size_t i) const;

  int version_ = 0;
  size_t count_ = 0;
  int file_sh_degree_ = 0;
  int fractional_bits_ = 0;
  bool is_antialiased_ = false;
  std::vector<uint8_t> bytes_;  // positions, alphas, colours, scales, rotations, SH
};

constexpr uint32_t kMaxSpzSplats = 100'000'000;

}  // namespace gs
