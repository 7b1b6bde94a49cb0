// SPDX-License-Identifier: Apache-2.0
#include "gs/train/view_pass.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"
#include "gs/render/sky_tile.hpp"

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

using Four = Eigen::Array4f;  // the pixels that a row has in a block: one vector
static_assert(kBlockWidth == 4);

Four loadFour(const float* from) { return Eigen::Map<const Four>(from); }
void storeFour(const Four& values, float* to) { Eigen::Map<Four>{to} = values; }

// Calls visit(block, lane, x, y) for each four pixels that are together in a block, in image
// coordinates. The last ones of a row may reach beyond the image, into its padding.
template <typename Visit>
void forEachFour(const TilePlace& place, const Visit& visit) {
  for (int y = 0; y < place.height; ++y)
    for (int x = 0; x < place.width; x += kBlockWidth) {
      const auto [block, lane] = placeInTile(x, y);
      visit(block, lane, place.x0 + x, place.y0 + y);
    }
}

}  // namespace

void ViewPass::render(const SplatScene& scene, const PreparedCamera& camera,
                      const Rigid3& map_from_opencv, const RenderSettings& settings,
                      bool has_depth) {
  width_ = camera.camera().width, height_ = camera.camera().height;
  color_.resize(width_, height_);
  extras_.resize(width_, height_);
  in_view_ = findClustersInView(scene, camera, map_from_opencv, settings);
  frame_.project({&*in_view_, 1});
  frame_.sort(settings, has_depth);
  const TileGrid grid(width_, height_);
  bins_.fillWithPlaces(grid, frame_.sorted(), frame_.sortedRanges());
  const SkyTile sky(settings.sky, camera, map_from_opencv);
  parallelFor(grid.size(), 2, [&](size_t begin, size_t end) {
    TileState state;
    TileBackdrop backdrop;
    for (size_t tile = begin; tile < end; ++tile) {
      const TilePlace place(grid, tile, width_, height_);
      state.clear(place.width, place.height, has_depth);
      blendTile(frame_.sorted(), frame_.sortedDepths(), bins_.splatsOf(tile), place.x0, place.y0,
                has_depth, state);
      const bool has_sky = sky.fill(place.x0, place.y0, place.width, place.height, state, backdrop);
      forEachFour(place, [&](size_t block, size_t lane, int x, int y) {
        const TileState::Block& blended = state.blocks[block];
        const Four left = loadFour(&blended.transmittance[lane]);
        const float* rgb[3] = {&blended.red[lane], &blended.green[lane], &blended.blue[lane]};
        const int inside = width_ - x;
        // Beyond the image there are zeros, and they stay.
        const Four is_inside = (Four(0, 1, 2, 3) < static_cast<float>(inside)).cast<float>();
        for (size_t c = 0; c < 3; ++c) {
          const Four behind = has_sky ? loadFour(&backdrop.blocks[block].rgb[c][lane])
                                      : Four::Constant(settings.background[c]);
          const Four color = loadFour(rgb[c]) + left * behind;
          storeFour(inside < kBlockWidth ? Four(color * is_inside) : color, color_.row(c, y) + x);
        }
        storeFour(left, extras_.row(0, y) + x);
        if (has_depth) storeFour(loadFour(&state.extras[block].depth[lane]), extras_.row(1, y) + x);
      });
    }
  });
}

void ViewPass::differentiate(const PlanarImage& by_color, const PlanarImage* by_extras) {
  const TileGrid grid(width_, height_);
  moments_.resize(bins_.entryCount());
  parallelFor(grid.size(), 2, [&](size_t begin, size_t end) {
    TileGradient gradient;
    for (size_t tile = begin; tile < end; ++tile) {
      const TilePlace place(grid, tile, width_, height_);
      gradient.clear(place.width, place.height);
      // Derivatives are zero in the padding of an image, so what is there takes no part.
      forEachFour(place, [&](size_t block, size_t lane, int x, int y) {
        TileGradient::Block& out = gradient.blocks[block];
        float* to[3] = {&out.red[lane], &out.green[lane], &out.blue[lane]};
        Four rest = Four::Zero();
        for (size_t c = 0; c < 3; ++c) {
          const Four g = loadFour(by_color.row(c, y) + x);
          storeFour(g, to[c]);
          rest += g * loadFour(color_.row(c, y) + x);
        }
        if (by_extras != nullptr) {
          const Four g_left = loadFour(by_extras->row(0, y) + x);
          const Four g_depth = loadFour(by_extras->row(1, y) + x);
          rest +=
              g_left * loadFour(extras_.row(0, y) + x) + g_depth * loadFour(extras_.row(1, y) + x);
          storeFour(g_depth, &gradient.extras[block].depth[lane]);
          storeFour(loadFour(by_extras->row(2, y) + x), &gradient.extras[block].error[lane]);
        }
        storeFour(rest, &out.rest[lane]);
      });
      blendBackward(frame_.sorted(), frame_.sortedDepths(), bins_.splatsOf(tile), place.x0,
                    place.y0, by_extras != nullptr, gradient,
                    moments_.data() + bins_.firstEntryOf(tile));
    }
  });
  rank_.resize(clusterCount() * kClusterSize);
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
      sum.depth += m.depth, sum.error += m.error;
    }
    const size_t place = splat.color.extra();
    // Behind something, or between the pixels: not seen.
    if (sum.l == 0 && sum.red == 0 && sum.green == 0 && sum.blue == 0) continue;
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
    blame[place] = {sum.error, 0.5f * std::hypot(gradients.x[place] * static_cast<float>(width_),
                                                 gradients.y[place] * static_cast<float>(height_))};
  }
  return count > 0;
}

}  // namespace gs
