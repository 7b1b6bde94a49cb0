// SPDX-License-Identifier: Apache-2.0
#include "gs/train/view_pass.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"
#include "gs/render/sky_tile.hpp"
#include "gs/render/view_frustum.hpp"

namespace gs {
namespace {

struct TilePlace {
  TilePlace(const TileGrid& grid, size_t tile, int image_width, int image_height)
      : x0(static_cast<int>(tile) % grid.columns * kTileSize),
        y0(static_cast<int>(tile) / grid.columns * kTileSize),
        width(std::min(kTileSize, image_width - x0)),
        height(std::min(kTileSize, image_height - y0)) {}
  int x0, y0, width, height;
};

// Calls visit(block, lane, x, y) for each pixel, in image coordinates.
template <typename Visit>
void forEachPixel(const TilePlace& place, const Visit& visit) {
  for (int y = 0; y < place.height; ++y)
    for (int x = 0; x < place.width; ++x) {
      const auto [block, lane] = placeInTile(x, y);
      visit(block, lane, static_cast<size_t>(place.x0 + x), place.y0 + y);
    }
}

}  // namespace

void ViewPass::render(const SplatScene& scene, const PreparedCamera& camera,
                      const Rigid3& map_from_opencv, const RenderSettings& settings) {
  width_ = camera.camera().width, height_ = camera.camera().height;
  color_.resize(width_, height_);
  extras_.resize(width_, height_);
  const ViewFrustum frustum(camera.lens(), map_from_opencv, settings.near_plane,
                            settings.far_plane);
  clusters_ = findVisibleClusters(scene, frustum);
  projection_ =
      std::make_unique<ProjectionView>(camera.lens(), camera.camera(), map_from_opencv, settings);
  frame_.project(scene, clusters_, *projection_);
  frame_.sort(*projection_, true);
  const TileGrid grid(width_, height_);
  bins_.fillWithPlaces(grid, frame_.sorted(), frame_.sortedRanges());
  const SkyTile sky(settings.sky, camera, map_from_opencv);
  parallelFor(grid.size(), 2, [&](size_t begin, size_t end) {
    TileState state;
    TileBackdrop backdrop;
    for (size_t tile = begin; tile < end; ++tile) {
      const TilePlace place(grid, tile, width_, height_);
      state.clear(place.width, place.height, true);
      blendTile(frame_.sorted(), frame_.sortedDepths(), bins_.splatsOf(tile), place.x0, place.y0,
                true, state);
      const bool has_sky = sky.fill(place.x0, place.y0, place.width, place.height, state, backdrop);
      forEachPixel(place, [&](size_t block, size_t lane, size_t x, int y) {
        const TileState::Block& blended = state.blocks[block];
        const float left = blended.transmittance[lane];
        const float rgb[3] = {blended.red[lane], blended.green[lane], blended.blue[lane]};
        for (size_t c = 0; c < 3; ++c)
          color_.row(c, y)[x] = rgb[c] + left * (has_sky ? backdrop.blocks[block].rgb[c][lane]
                                                         : settings.background[c]);
        extras_.row(0, y)[x] = left;
        extras_.row(1, y)[x] = state.extras[block].depth[lane];
      });
    }
  });
}

void ViewPass::differentiate(const PlanarImage& by_color, const PlanarImage& by_extras) {
  const TileGrid grid(width_, height_);
  moments_.resize(bins_.entryCount());
  parallelFor(grid.size(), 2, [&](size_t begin, size_t end) {
    TileGradient gradient;
    for (size_t tile = begin; tile < end; ++tile) {
      const TilePlace place(grid, tile, width_, height_);
      gradient.clear(place.width, place.height);
      forEachPixel(place, [&](size_t block, size_t lane, size_t x, int y) {
        TileGradient::Block& out = gradient.blocks[block];
        const float g[3] = {by_color.row(0, y)[x], by_color.row(1, y)[x], by_color.row(2, y)[x]};
        const float g_left = by_extras.row(0, y)[x], g_depth = by_extras.row(1, y)[x];
        out.red[lane] = g[0], out.green[lane] = g[1], out.blue[lane] = g[2];
        out.depth[lane] = g_depth;
        out.rest[lane] = g[0] * color_.row(0, y)[x] + g[1] * color_.row(1, y)[x] +
                         g[2] * color_.row(2, y)[x] + g_left * extras_.row(0, y)[x] +
                         g_depth * extras_.row(1, y)[x];
        out.error[lane] = by_extras.row(2, y)[x];
      });
      blendBackward(frame_.sorted(), frame_.sortedDepths(), bins_.splatsOf(tile), place.x0,
                    place.y0, gradient, moments_.data() + bins_.firstEntryOf(tile));
    }
  });
  rank_.resize(clusters_.size() * kClusterSize);
  const std::span<const DepthKey> keys = frame_.keys();
  parallelFor(keys.size(), 16384, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) rank_[keys[n].index] = static_cast<uint32_t>(n);
  });
}

bool ViewPass::gather(size_t i, ImageGradients& gradients,
                      std::array<SplatBlame, kClusterSize>& blame) const {
  gradients.clear();
  const size_t count = frame_.countOf(i);
  for (size_t k = 0; k < count; ++k) {
    const ProjectedSplat& splat = frame_.projected(i, k);
    SplatMoments sum{};
    for (const uint32_t entry : bins_.entriesOf(rank_[i * kClusterSize + k])) {
      const SplatMoments& m = moments_[entry];
      sum.l += m.l, sum.lt += m.lt, sum.ly += m.ly;
      sum.ltt += m.ltt, sum.lty += m.lty, sum.lyy += m.lyy;
      sum.red += m.red, sum.green += m.green, sum.blue += m.blue;
      sum.depth += m.depth, sum.error += m.error, sum.weight += m.weight;
    }
    const size_t place = splat.color.extra();
    if (!(sum.weight > 0)) continue;  // behind something, or between the pixels
    gradients.is_seen[place] = 1;
    gradients.log2_opacity[place] = sum.l;
    gradients.a[place] = sum.ltt;
    gradients.shear[place] = 2 * splat.a * sum.lty;
    gradients.e[place] = sum.lyy;
    gradients.x[place] = -2 * splat.a * sum.lt;
    gradients.y[place] = -2 * (splat.a * splat.shear * sum.lt + splat.e * sum.ly);
    gradients.rgb[0][place] = sum.red;
    gradients.rgb[1][place] = sum.green;
    gradients.rgb[2][place] = sum.blue;
    gradients.depth[place] = sum.depth;
    blame[place] = {sum.error, sum.weight,
                    0.5f * std::hypot(gradients.x[place] * static_cast<float>(width_),
                                      gradients.y[place] * static_cast<float>(height_))};
  }
  return count > 0;
}

}  // namespace gs
