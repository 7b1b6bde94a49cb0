// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gs {

struct ImageSize {
  int width = 0;
  int height = 0;
  bool operator==(const ImageSize&) const = default;
};

// Pixels in rows from the top, channels interleaved, no padding between rows.
template <typename T>
struct Image {
  int width = 0;
  int height = 0;
  int channels = 3;  // 1 grey, 3 RGB, 4 RGBA
  std::vector<T> pixels;

  Image() = default;
  Image(int width, int height, int channels)
      : width(width),
        height(height),
        channels(channels),
        pixels(static_cast<size_t>(width) * height * channels) {}

  size_t rowSize() const { return static_cast<size_t>(width) * channels; }
  std::span<T> row(int y) { return {pixels.data() + rowSize() * y, rowSize()}; }
  std::span<const T> row(int y) const { return {pixels.data() + rowSize() * y, rowSize()}; }
  T* at(int x, int y) { return row(y).data() + static_cast<size_t>(x) * channels; }
  const T* at(int x, int y) const { return row(y).data() + static_cast<size_t>(x) * channels; }

  bool operator==(const Image&) const = default;
};

using Image8 = Image<uint8_t>;
using ImageF = Image<float>;

}  // namespace gs
