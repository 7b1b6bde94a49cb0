// SPDX-License-Identifier: Apache-2.0
#include "gs/render/depth_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace gs {
namespace {

using Color = std::array<float, 3>;

// Neighbours differ in hue as well as in brightness, so that small steps show everywhere.
constexpr std::array<Color, 8> kColors = {{{0.55f, 0.05f, 0.08f},
                                           {0.90f, 0.25f, 0.10f},
                                           {0.98f, 0.60f, 0.15f},
                                           {0.95f, 0.92f, 0.35f},
                                           {0.45f, 0.85f, 0.40f},
                                           {0.15f, 0.75f, 0.80f},
                                           {0.20f, 0.40f, 0.90f},
                                           {0.25f, 0.10f, 0.45f}}};

void paint(float part, uint8_t* pixel) {
  const float at = std::clamp(part, 0.0f, 1.0f) * (kColors.size() - 1);
  const size_t below = std::min(static_cast<size_t>(at), kColors.size() - 2);
  const float f = at - static_cast<float>(below);
  for (size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<uint8_t>(
        std::lround(255 * ((1 - f) * kColors[below][c] + f * kColors[below + 1][c])));
}

// Digits, point and "m" of 3 x 5 dots, a row per three bits from the top.
constexpr const char* kSigns = "0123456789.m";
constexpr std::array<uint16_t, 12> kDots = {075557, 026227, 071747, 071717, 055711, 074717,
                                            074757, 071111, 075757, 075717, 000002, 000775};
constexpr int kDot = 2, kSignWidth = 4 * kDot, kSignHeight = 5 * kDot;

int widthOf(const std::string& text) { return kSignWidth * static_cast<int>(text.size()); }

void write(Image8& image, int left, int top, const std::string& text) {
  for (size_t n = 0; n < text.size(); ++n) {
    const size_t sign = std::string_view(kSigns).find(text[n]);
    if (sign == std::string_view::npos) continue;
    for (int y = 0; y < kSignHeight; ++y)
      for (int x = 0; x < 3 * kDot; ++x) {
        const int bit = 3 * (4 - y / kDot) + 2 - x / kDot;
        const int column = left + static_cast<int>(n) * kSignWidth + x;
        if ((kDots[sign] >> bit & 1) == 0 || column < 0 || column >= image.width) continue;
        std::fill_n(image.at(column, top + y), 3, uint8_t{255});
      }
  }
}

void drawLegend(Image8& image, int top, const DepthSpan& span) {
  constexpr int kBar = 4;
  for (int y = top + 1; y <= top + kBar; ++y)
    for (int x = 0; x < image.width; ++x)
      paint(static_cast<float>(x) / static_cast<float>(std::max(1, image.width - 1)),
            image.at(x, y));
  for (const float part : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
    const float metres = span.near * std::pow(span.far / span.near, part);
    const std::string text = fmt::format("{:.{}f}m", metres, metres < 9.95f ? 1 : 0);
    const float room = static_cast<float>(image.width - widthOf(text));
    write(image, static_cast<int>(part * room), top + kBar + 3, text);
  }
}

}  // namespace

DepthSpan spanOf(const ImageF& depth) {
  std::vector<float> known;
  for (const float d : depth.pixels)
    if (d > 0 && std::isfinite(d)) known.push_back(d);
  if (known.empty()) return {};
  const auto quantile = [&](size_t percent) {
    const auto nth =
        known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) * percent / 100);
    std::nth_element(known.begin(), nth, known.end());
    return *nth;
  };
  const float near = quantile(2), far = quantile(98);
  return {near, std::max(far, 1.01f * near)};  // a wall straight ahead has a colour too
}

Image8 drawDepth(const ImageF& depth) {
  Image8 image(depth.width, depth.height + kDepthLegend, 3);
  const DepthSpan span = spanOf(depth);
  if (span.near <= 0) return image;
  const float scale = 1 / std::log(span.far / span.near);
  for (int y = 0; y < depth.height; ++y)
    for (int x = 0; x < depth.width; ++x)
      if (const float d = *depth.at(x, y); d > 0)
        paint(scale * std::log(d / span.near), image.at(x, y));
  drawLegend(image, depth.height, span);
  return image;
}

}  // namespace gs
