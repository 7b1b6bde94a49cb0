// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "gs/core/rigid3.hpp"
#include "gs/render/kernels/sky_cell.hpp"
#include "gs/render/prepared_camera.hpp"
#include "gs/render/sky.hpp"

namespace gs {

// The sky behind the pixels of a tile. Where a pixel looks in the sky is computed at the corners of
// small cells and interpolated: the inverse of a lens and arc tangents are expensive.
class SkyTile {
 public:
  SkyTile(const Sky& sky, const PreparedCamera& camera, const Rigid3& map_from_opencv)
      : sky_(sky),
        camera_(camera),
        map_from_opencv_(map_from_opencv.rotation.toRotationMatrix().cast<float>()) {}

  // Where a pixel still lets enough light through; black elsewhere. False, and nothing written,
  // when there is no sky.
  bool fill(int x0, int y0, int width, int height, const TileState& state,
            TileBackdrop& backdrop) const;

 private:
  void fillExactly(int x0, int y0, const std::array<Vec3f, 4>& rays, const TileState& state,
                   TileBackdrop& backdrop) const;

  const Sky& sky_;
  const PreparedCamera& camera_;
  Eigen::Matrix3f map_from_opencv_;
};

}  // namespace gs
