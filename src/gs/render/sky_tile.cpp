// SPDX-License-Identifier: Apache-2.0
#include "gs/render/sky_tile.hpp"

#include <algorithm>

namespace gs {
namespace {

constexpr float kVisible = 1.0f / 1024;  // transmittance: a quarter of a grey level
constexpr int kCell = 8;                 // px between rays that are not interpolated

}  // namespace

bool SkyTile::fill(int x0, int y0, int width, int height, std::span<const float> transmittance,
                   std::span<float> behind) const {
  if (!sky_) return false;
  const bool shows = std::any_of(transmittance.begin(), transmittance.end(),
                                 [](float t) { return t >= kVisible; });
  if (!shows) return std::fill(behind.begin(), behind.end(), 0.0f), true;
  for (int y = 0; y < height; y += kCell)
    for (int x = 0; x < width; x += kCell) {
      const auto ray = [&](int dx, int dy) -> Vec3f {
        return (map_from_opencv_.rotation * lens_.rayAt(x0 + x + dx, y0 + y + dy)).cast<float>();
      };
      fillCell(x, y, {ray(0, 0), ray(kCell, 0), ray(0, kCell), ray(kCell, kCell)}, transmittance,
               behind);
    }
  return true;
}

void SkyTile::fillCell(int x0, int y0, const std::array<Vec3f, 4>& rays,
                       std::span<const float> transmittance, std::span<float> behind) const {
  for (int y = 0; y < kCell; ++y) {
    const float fy = static_cast<float>(y) / kCell;
    const Vec3f left = rays[0] + (rays[2] - rays[0]) * fy;
    const Vec3f right = rays[1] + (rays[3] - rays[1]) * fy;
    for (int x = 0; x < kCell; ++x) {
      const size_t at = indexInTile(x0 + x, y0 + y);
      Vec3f color = Vec3f::Zero();
      if (transmittance[at] >= kVisible)
        color = sky_.colorAt(left + (right - left) * (static_cast<float>(x) / kCell));
      for (size_t c = 0; c < 3; ++c) behind[c * kTilePixels + at] = color[static_cast<int>(c)];
    }
  }
}

}  // namespace gs
