// SPDX-License-Identifier: Apache-2.0
#include "gs/train/kernels/blend_backward.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gs/render/splat_renderer.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/train/kernels/blend_backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "gs/render/kernels/tile_batch-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {

// One splat over all the blocks that it touches: the sums stay in registers, the pixels pass by.
HWY_INLINE void backThroughSplat(const Batch& batch, size_t k, TileGradient& tile,
                                 SplatMoments& out) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  alignas(64) static constexpr float kX[kBlockPixels] = {0, 1, 2, 3, 0, 1, 2, 3};
  alignas(64) static constexpr float kY[kBlockPixels] = {0, 0, 0, 0, 1, 1, 1, 1};
  const V max_alpha = hn::Set(d, static_cast<float>(kMaxAlpha)), floor = hn::Set(d, -kLog2Of255);
  const V one = hn::Set(d, 1), zero = hn::Zero(d);
  V l = zero, lt = zero, ly = zero, ltt = zero, lty = zero, lyy = zero;
  V red = zero, green = zero, blue = zero, depth = zero, error = zero, weights = zero;
  for (int row = 0; row < kBlockRows; ++row)
    for (unsigned rest = batch.columns[row][k]; rest != 0; rest &= rest - 1) {
      const int column = std::countr_zero(rest);
      const auto block = static_cast<size_t>(row * kBlockColumns + column);
      if (tile.is_opaque[block]) continue;
      TileGradient::Block& pixels = tile.blocks[block];
      for (size_t part = 0; part < kBlockPixels; part += lanes) {
        const V px =
            hn::Add(hn::Load(d, kX + part), hn::Set(d, static_cast<float>(column * kBlockWidth)));
        const V py =
            hn::Add(hn::Load(d, kY + part), hn::Set(d, static_cast<float>(row * kBlockHeight)));
        // As in blendBlock, bit for bit.
        const V by_x = hn::MulAdd(hn::Set(d, batch.xx[k]), px,
                                  hn::MulAdd(hn::Set(d, batch.xy[k]), py, hn::Set(d, batch.x1[k])));
        const V by_y = hn::MulAdd(hn::Set(d, batch.yy[k]), py, hn::Set(d, batch.y1[k]));
        const V log2_alpha = hn::MulAdd(by_x, px, hn::MulAdd(by_y, py, hn::Set(d, batch.one[k])));
        const auto takes = hn::Ge(log2_alpha, floor);
        const V raw = exp2Of(log2_alpha);
        const V alpha = hn::IfThenElseZero(takes, hn::Min(raw, max_alpha));

        const V g_red = hn::Load(d, &pixels.red[part]), g_green = hn::Load(d, &pixels.green[part]),
                g_blue = hn::Load(d, &pixels.blue[part]),
                g_depth = hn::Load(d, &pixels.depth[part]);
        const V left = hn::Load(d, &pixels.transmittance[part]);
        const V worth =
            hn::MulAdd(hn::Set(d, batch.red[k]), g_red,
                       hn::MulAdd(hn::Set(d, batch.green[k]), g_green,
                                  hn::MulAdd(hn::Set(d, batch.blue[k]), g_blue,
                                             hn::Mul(hn::Set(d, batch.depth[k]), g_depth))));
        const V weight = hn::Mul(alpha, left);
        const V behind = hn::NegMulAdd(weight, worth, hn::Load(d, &pixels.rest[part]));
        hn::Store(behind, d, &pixels.rest[part]);
        hn::Store(hn::NegMulAdd(alpha, left, left), d, &pixels.transmittance[part]);
        // By alpha, times alpha: by its natural logarithm. A clamped alpha does not move.
        const V by_alpha =
            hn::NegMulAdd(behind, hn::Div(one, hn::Sub(one, alpha)), hn::Mul(left, worth));
        const V by_log = hn::IfThenElseZero(hn::Lt(raw, max_alpha), hn::Mul(by_alpha, alpha));

        const V dy = hn::Sub(py, hn::Set(d, batch.y[k]));
        const V t = hn::MulAdd(hn::Set(d, batch.shear[k]), dy, hn::Sub(px, hn::Set(d, batch.x[k])));
        const V along = hn::Mul(by_log, t), across = hn::Mul(by_log, dy);
        l = hn::Add(l, by_log);
        lt = hn::Add(lt, along);
        ly = hn::Add(ly, across);
        ltt = hn::MulAdd(along, t, ltt);
        lty = hn::MulAdd(along, dy, lty);
        lyy = hn::MulAdd(across, dy, lyy);
        red = hn::MulAdd(weight, g_red, red);
        green = hn::MulAdd(weight, g_green, green);
        blue = hn::MulAdd(weight, g_blue, blue);
        depth = hn::MulAdd(weight, g_depth, depth);
        error = hn::MulAdd(weight, hn::Load(d, &pixels.error[part]), error);
        weights = hn::Add(weights, weight);
      }
    }
  constexpr float kLn2 = 0.693147181f;  // by log2(alpha)
  const auto sum = [&](const V& v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
  out = {kLn2 * sum(l),   kLn2 * sum(lt),  kLn2 * sum(ly), kLn2 * sum(ltt),
         kLn2 * sum(lty), kLn2 * sum(lyy), sum(red),       sum(green),
         sum(blue),       sum(depth),      sum(error),     sum(weights)};
}

void markOpaque(TileGradient& tile) {
  const D d;
  for (size_t block = 0; block < kTileBlocks; ++block) {
    if (tile.is_opaque[block]) continue;
    bool is_opaque = true;
    for (size_t part = 0; part < kBlockPixels; part += hn::Lanes(d))
      is_opaque &= hn::AllTrue(d, hn::Lt(hn::Load(d, &tile.blocks[block].transmittance[part]),
                                         hn::Set(d, kNearlyOpaque)));
    tile.is_opaque[block] = is_opaque;
    tile.opaque_blocks += is_opaque;
  }
}

void backThroughTile(std::span<const ProjectedSplat> splats, const float* depths,
                     std::span<const uint32_t> ids, int x0, int y0, TileGradient& tile,
                     SplatMoments* moments) {
  Batch batch;
  size_t first = 0;
  for (; first < ids.size() && tile.opaque_blocks < kTileBlocks; first += kBatch) {
    const auto now = ids.subspan(first, std::min(kBatch, ids.size() - first));
    loadBatch(splats, depths, now, static_cast<float>(x0), static_cast<float>(y0), batch);
    for (size_t i = first + kBatch; i < std::min(ids.size(), first + 2 * kBatch); ++i)
      __builtin_prefetch(&splats[ids[i]]);
    for (size_t k = 0; k < now.size(); k += hn::Lanes(D())) findColumns(batch, k);
    for (size_t k = 0; k < now.size(); ++k) backThroughSplat(batch, k, tile, moments[first + k]);
    markOpaque(tile);
  }
  if (first < ids.size()) std::fill(moments + first, moments + ids.size(), SplatMoments{});
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(backThroughTile);

void TileGradient::clear(int width, int height) {
  blocks.fill({});
  for (Block& block : blocks) block.transmittance.fill(1);
  opaque_blocks = 0;
  for (int block = 0; block < kTileBlocks; ++block) {
    const bool is_outside = block % kBlockColumns * kBlockWidth >= width ||
                            block / kBlockColumns * kBlockHeight >= height;
    is_opaque[static_cast<size_t>(block)] = is_outside;
    opaque_blocks += is_outside;
  }
}

void blendBackward(std::span<const ProjectedSplat> splats, const float* depths,
                   std::span<const uint32_t> ids, int x0, int y0, TileGradient& tile,
                   SplatMoments* moments) {
  HWY_DYNAMIC_DISPATCH(backThroughTile)(splats, depths, ids, x0, y0, tile, moments);
}

}  // namespace gs
#endif
