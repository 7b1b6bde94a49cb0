// SPDX-License-Identifier: Apache-2.0
#include "gs/render/sky.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/core/check.hpp"

namespace gs {

Sky::Sky(Image8 equirectangular)
    : image_(std::make_shared<const Image8>(std::move(equirectangular))) {
  GS_CHECK(image_->channels >= 3);
  GS_CHECK(image_->width > 0);
  GS_CHECK(image_->height > 0);
}

Vec3f Sky::colorAt(const Vec3f& direction) const {
  constexpr float kPi = std::numbers::pi_v<float>;
  const Image8& image = *image_;
  const float azimuth = std::atan2(direction.y(), direction.x());
  const float elevation = std::atan2(direction.z(), direction.head<2>().norm());
  // Pixel centres are half a pixel inside the edges.
  const float x = (0.5f - azimuth / (2 * kPi)) * static_cast<float>(image.width) - 0.5f;
  const float y = (0.5f - elevation / kPi) * static_cast<float>(image.height) - 0.5f;
  const float left = std::floor(x), top = std::floor(y);
  const auto column = [&](float i) {  // wraps around
    const int n = static_cast<int>(i) % image.width;
    return n < 0 ? n + image.width : n;
  };
  const auto row = [&](float i) { return std::clamp(static_cast<int>(i), 0, image.height - 1); };
  const auto pixel = [&](int i, int j) {
    const uint8_t* p = image.at(i, j);
    return Vec3f(p[0], p[1], p[2]);
  };
  const int x0 = column(left), x1 = column(left + 1), y0 = row(top), y1 = row(top + 1);
  const float fx = x - left, fy = y - top;
  const Vec3f upper = pixel(x0, y0) * (1 - fx) + pixel(x1, y0) * fx;
  const Vec3f lower = pixel(x0, y1) * (1 - fx) + pixel(x1, y1) * fx;
  return (upper * (1 - fy) + lower * fy) / 255;
}

}  // namespace gs
