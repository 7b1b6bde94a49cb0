// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/render/kernels/blend_tile.hpp"
#include "gs/render/sky.hpp"

namespace gs {

constexpr int kSkyCell = 8;               // px
constexpr float kSkyShows = 1.0f / 1024;  // transmittance: a quarter of a grey level

// Places in the sky at the corners of a cell, x unwrapped so that they are close together.
struct SkyCorners {
  Vec2f top_left, top_right, bottom_left, bottom_right;
};

// The sky behind the cell whose first pixel is (x0, y0) of a tile, interpolated between its
// corners; black where the transmittance does not show it.
void fillSkyCell(const SkyTexels& texels, const SkyCorners& corners, int x0, int y0,
                 const TileState& state, TileBackdrop& backdrop);

}  // namespace gs
