// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "gs/render/kernels/blend_tile.hpp"
#include "gs/render/prepared_camera.hpp"
#include "gs/render/sky_tile.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs {

// The tiles of one image: where they are, and how what is blended becomes pixels of every output.
class TilePainter {
 public:
  TilePainter(const SplatView& view, const RenderSettings& settings, const PreparedCamera& camera,
              const Rigid3& map_from_opencv, RenderedView& result);

  const TileGrid& grid() const { return grid_; }
  // Whether blending has to keep depth and count beside the colour.
  bool hasExtras() const { return view_.outputs.depth || view_.outputs.splat_count; }
  int x0(size_t tile) const { return static_cast<int>(tile) % grid_.columns * kTileSize; }
  int y0(size_t tile) const { return static_cast<int>(tile) / grid_.columns * kTileSize; }
  int widthOf(size_t tile) const { return std::min(kTileSize, view_.camera.width - x0(tile)); }
  int heightOf(size_t tile) const { return std::min(kTileSize, view_.camera.height - y0(tile)); }

  void paint(size_t tile, const TileState& state) const;

 private:
  void paintPixel(size_t tile, int x, int y, const TileState& state,
                  const TileBackdrop* backdrop) const;

  const SplatView& view_;
  const RenderSettings& settings_;
  SkyTile sky_;
  TileGrid grid_;
  RenderedView& result_;
};

}  // namespace gs
