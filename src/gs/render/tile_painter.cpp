// SPDX-License-Identifier: Apache-2.0
#include "gs/render/tile_painter.hpp"

#include "gs/render/resolve_pixel.hpp"

namespace gs {

TilePainter::TilePainter(const SplatView& view, const RenderSettings& settings,
                         const PreparedCamera& camera, const Rigid3& map_from_opencv,
                         RenderedView& result)
    : view_(view),
      settings_(settings),
      sky_(settings.sky, camera, map_from_opencv),
      grid_(view.camera.width, view.camera.height),
      result_(result) {
  prepareOutputs(view, result);
}

void TilePainter::paint(size_t tile, const TileState& state) const {
  TileBackdrop sky;
  const bool has_sky = sky_.fill(x0(tile), y0(tile), widthOf(tile), heightOf(tile), state, sky);
  const TileBackdrop* backdrop = has_sky ? &sky : nullptr;
  const RenderOutputs& outputs = view_.outputs;
  if (!outputs.color && !outputs.depth && !outputs.opacity && !outputs.splat_count) {
    resolveTile(state, backdrop, settings_.background, settings_.gain, widthOf(tile),
                heightOf(tile), result_.rgb.at(x0(tile), y0(tile)), result_.rgb.rowSize());
    return;
  }
  for (int y = 0; y < heightOf(tile); ++y)
    for (int x = 0; x < widthOf(tile); ++x) paintPixel(tile, x, y, state, backdrop);
}

void TilePainter::paintPixel(size_t tile, int x, int y, const TileState& state,
                             const TileBackdrop* backdrop) const {
  const auto [block, lane] = placeInTile(x, y);
  const TileState::Block& blended = state.blocks[block];
  BlendedPixel pixel{.color = {blended.red[lane], blended.green[lane], blended.blue[lane]},
                     .transmittance = blended.transmittance[lane]};
  for (size_t c = 0; c < 3; ++c)
    pixel.color[static_cast<int>(c)] +=
        pixel.transmittance *
        (backdrop != nullptr ? backdrop->blocks[block].rgb[c][lane] : settings_.background[c]);
  if (hasExtras()) {
    pixel.weighted_depth = state.extras[block].depth[lane];
    pixel.count = static_cast<uint32_t>(state.extras[block].count[lane]);
  }
  storePixel(view_.outputs, settings_, x0(tile) + x, y0(tile) + y, pixel, result_);
}

}  // namespace gs
