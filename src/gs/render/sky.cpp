// SPDX-License-Identifier: Apache-2.0
#include "gs/render/sky.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/core/check.hpp"

namespace gs {

Sky::Sky(const Image8& equirectangular) {
  GS_CHECK(equirectangular.channels >= 3);
  GS_CHECK(equirectangular.width > 0);
  GS_CHECK(equirectangular.height > 0);
  auto texels = std::make_shared<SkyTexels>();
  texels->width = equirectangular.width;
  texels->height = equirectangular.height;
  texels->stride = texels->width + 1;
  for (int y = 0; y <= texels->height; ++y)
    for (int x = 0; x <= texels->width; ++x) {
      const uint8_t* p = equirectangular.at(x % texels->width, std::min(y, texels->height - 1));
      texels->rgb.push_back(static_cast<uint32_t>(p[0] | p[1] << 8 | p[2] << 16));
    }
  texels_ = std::move(texels);
}

Vec2f Sky::placeOf(const Vec3f& direction) const {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float azimuth = std::atan2(direction.y(), direction.x());
  const float elevation = std::atan2(direction.z(), direction.head<2>().norm());
  return {(0.5f - azimuth / (2 * kPi)) * static_cast<float>(texels_->width) - 0.5f,
          (0.5f - elevation / kPi) * static_cast<float>(texels_->height) - 0.5f};
}

Vec3f Sky::colorAtPlace(const Vec2f& place) const {
  const SkyTexels& t = *texels_;
  const float x = place.x() < 0 ? place.x() + static_cast<float>(t.width) : place.x();
  const float y = std::clamp(place.y(), 0.0f, static_cast<float>(t.height - 1));
  const int left = std::clamp(static_cast<int>(x), 0, t.width - 1), top = static_cast<int>(y);
  const float fx = x - static_cast<float>(left), fy = y - static_cast<float>(top);
  const uint32_t* at = t.rgb.data() + static_cast<size_t>(top) * t.stride + left;
  Vec3f color;
  for (int c = 0; c < 3; ++c) {
    const auto level = [&](int offset) { return static_cast<float>(at[offset] >> 8 * c & 255); };
    const float upper = level(0) + (level(1) - level(0)) * fx;
    const float lower = level(t.stride) + (level(t.stride + 1) - level(t.stride)) * fx;
    color[c] = (upper + (lower - upper) * fy) / 255;
  }
  return color;
}

}  // namespace gs
