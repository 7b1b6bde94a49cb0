// SPDX-License-Identifier: Apache-2.0
#include "gs/render/sky_tile.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

static_assert(kSkyCell == PreparedCamera::kRaySpacing);
constexpr int kRays = kTileSize / kSkyCell + 1;

// Towards a pole of the sky, or where a cell is wide, its places do not lie on straight lines.
bool isSmooth(const std::array<Vec3f, 4>& rays) {
  for (const Vec3f& ray : rays)
    if (std::abs(ray.z()) > 0.8f || (ray - rays[0]).squaredNorm() > 0.05f * 0.05f) return false;
  return true;
}

SkyCorners cornersOf(const Sky& sky, const std::array<Vec3f, 4>& rays) {
  const auto width = static_cast<float>(sky.texels().width);
  const Vec2f first = sky.placeOf(rays[0]);
  const auto place = [&](const Vec3f& ray) {
    Vec2f p = sky.placeOf(ray);
    if (p.x() - first.x() > width / 2) p.x() -= width;
    if (first.x() - p.x() > width / 2) p.x() += width;
    return p;
  };
  return {first, place(rays[1]), place(rays[2]), place(rays[3])};
}

}  // namespace

bool SkyTile::fill(int x0, int y0, int width, int height, const TileState& state,
                   TileBackdrop& backdrop) const {
  if (!sky_) return false;
  const bool shows = std::any_of(state.blocks.begin(), state.blocks.end(), [](const auto& block) {
    return *std::max_element(block.transmittance.begin(), block.transmittance.end()) >= kSkyShows;
  });
  if (!shows) {
    backdrop.blocks.fill({});
    return true;
  }
  std::array<std::array<Vec3f, kRays>, kRays> rays;
  const int columns = (width + kSkyCell - 1) / kSkyCell, rows = (height + kSkyCell - 1) / kSkyCell;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i)
      rays[j][i] = map_from_opencv_ * camera_.rayAt(x0 / kSkyCell + i, y0 / kSkyCell + j);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const std::array<Vec3f, 4> corners{rays[j][i], rays[j][i + 1], rays[j + 1][i],
                                         rays[j + 1][i + 1]};
      if (isSmooth(corners))
        fillSkyCell(sky_.texels(), cornersOf(sky_, corners), i * kSkyCell, j * kSkyCell, state,
                    backdrop);
      else fillExactly(i * kSkyCell, j * kSkyCell, corners, state, backdrop);
    }
  return true;
}

void SkyTile::fillExactly(int x0, int y0, const std::array<Vec3f, 4>& rays, const TileState& state,
                          TileBackdrop& backdrop) const {
  for (int y = 0; y < kSkyCell; ++y) {
    const float fy = static_cast<float>(y) / kSkyCell;
    const Vec3f left = rays[0] + (rays[2] - rays[0]) * fy;
    const Vec3f right = rays[1] + (rays[3] - rays[1]) * fy;
    for (int x = 0; x < kSkyCell; ++x) {
      const auto [block, lane] = placeInTile(x0 + x, y0 + y);
      Vec3f color = Vec3f::Zero();
      if (state.blocks[block].transmittance[lane] >= kSkyShows)
        color = sky_.colorAt(left + (right - left) * (static_cast<float>(x) / kSkyCell));
      for (size_t c = 0; c < 3; ++c)
        backdrop.blocks[block].rgb[c][lane] = color[static_cast<int>(c)];
    }
  }
}

}  // namespace gs
