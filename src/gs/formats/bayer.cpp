// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/bayer.hpp"

#include <algorithm>
#include <array>

namespace gs {
namespace {

int colourAt(BayerPattern pattern, int x, int y) {
  const bool on_red_column = x % 2 == pattern.red_x;
  const bool on_red_row = y % 2 == pattern.red_y;
  if (on_red_column && on_red_row) return 0;
  return on_red_column || on_red_row ? 1 : 2;
}

void demosaicPixel(const uint8_t* mosaic, size_t step, BayerPattern pattern, int x, int y,
                   Image8& rgb) {
  std::array<int, 3> sum{}, count{};
  for (int v = std::max(0, y - 1); v <= std::min(rgb.height - 1, y + 1); ++v)
    for (int u = std::max(0, x - 1); u <= std::min(rgb.width - 1, x + 1); ++u) {
      const int colour = colourAt(pattern, u, v);
      sum[colour] += mosaic[static_cast<size_t>(v) * step + u];
      ++count[colour];
    }
  uint8_t* out = rgb.at(x, y);
  for (int c = 0; c < 3; ++c)  // an image of one row or column lacks a colour altogether
    out[c] = static_cast<uint8_t>(count[c] == 0 ? 0 : (sum[c] + count[c] / 2) / count[c]);
  out[colourAt(pattern, x, y)] = mosaic[static_cast<size_t>(y) * step + x];
}

}  // namespace

std::optional<BayerPattern> findBayerPattern(std::string_view encoding) {
  if (encoding == "bayer_rggb8") return BayerPattern{0, 0};
  if (encoding == "bayer_grbg8") return BayerPattern{1, 0};
  if (encoding == "bayer_gbrg8") return BayerPattern{0, 1};
  if (encoding == "bayer_bggr8") return BayerPattern{1, 1};
  return std::nullopt;
}

void demosaic(const uint8_t* mosaic, size_t step, BayerPattern pattern, Image8& rgb) {
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) demosaicPixel(mosaic, step, pattern, x, y, rgb);
}

}  // namespace gs
