// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "gs/core/rigid3.hpp"
#include "gs/render/camera.hpp"
#include "gs/render/kernels/blend_tile.hpp"
#include "gs/render/sky.hpp"

namespace gs {

// The sky behind the pixels of a tile. Viewing rays are computed on a grid of the lens and
// interpolated: a lens is smooth, its inverse is expensive.
class SkyTile {
 public:
  SkyTile(const Sky& sky, const Lens& lens, const Rigid3& map_from_opencv)
      : sky_(sky), lens_(lens), map_from_opencv_(map_from_opencv) {}

  // Red, green and blue arrays of kTilePixels each, where a pixel still lets enough light through.
  // False, and nothing written, when there is no sky.
  bool fill(int x0, int y0, int width, int height, std::span<const float> transmittance,
            std::span<float> behind) const;

 private:
  void fillCell(int x0, int y0, const std::array<Vec3f, 4>& rays,
                std::span<const float> transmittance, std::span<float> behind) const;

  const Sky& sky_;
  const Lens& lens_;
  const Rigid3& map_from_opencv_;
};

}  // namespace gs
