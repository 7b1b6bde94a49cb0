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

// The sums over the lanes of four vectors, side by side.
template <typename Tag, typename Vec = hn::Vec<Tag>>
HWY_INLINE void storeSums(Tag tag, const Vec& a, const Vec& b, const Vec& c, const Vec& d,
                          float* to) {
#if HWY_TARGET == HWY_SCALAR
  to[0] = hn::GetLane(a), to[1] = hn::GetLane(b), to[2] = hn::GetLane(c), to[3] = hn::GetLane(d);
  (void)tag;
#else
  const hn::RepartitionToWide<Tag> wide;
  const Vec ab = hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
  const Vec cd = hn::Add(hn::InterleaveLower(tag, c, d), hn::InterleaveUpper(tag, c, d));
  const auto ab2 = hn::BitCast(wide, ab), cd2 = hn::BitCast(wide, cd);
  const Vec sums = hn::Add(hn::BitCast(tag, hn::InterleaveLower(wide, ab2, cd2)),
                           hn::BitCast(tag, hn::InterleaveUpper(wide, ab2, cd2)));
  const hn::CappedTag<float, 4> four;
  if constexpr (hn::MaxLanes(Tag()) > 4) {
    const hn::Half<Tag> half;
    hn::StoreU(hn::Add(hn::LowerHalf(half, sums), hn::UpperHalf(half, sums)), four, to);
  } else {
    hn::StoreU(sums, four, to);
  }
#endif
}

// One splat over all the blocks that it touches: the sums stay in registers, the pixels pass by.
template <bool HasExtras>
HWY_INLINE void backThroughSplat(const Batch& batch, size_t k, TileGradient& tile,
                                 SplatMoments& out) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  alignas(64) static constexpr float kX[kBlockPixels] = {0, 1, 2, 3, 0, 1, 2, 3};
  alignas(64) static constexpr float kY[kBlockPixels] = {0, 0, 0, 0, 1, 1, 1, 1};
  const V max_alpha = hn::Set(d, static_cast<float>(kMaxAlpha)), floor = hn::Set(d, -kLog2Of255);
  const V nearly_opaque = hn::Set(d, kNearlyOpaque);
  const V one = hn::Set(d, 1), zero = hn::Zero(d), width = hn::Set(d, kBlockWidth);
  V l = zero, lt = zero, ly = zero, ltt = zero, lty = zero, lyy = zero;
  V red = zero, green = zero, blue = zero, depth = zero, error = zero;
  for (int row = batch.first_row[k]; row < batch.end_row[k]; ++row) {
    const unsigned columns = batch.columns[row][k];
    if (columns == 0) continue;
    // The columns of an ellipse have no gap.
    const auto first = static_cast<size_t>(row * kBlockColumns + std::countr_zero(columns));
    const auto end = static_cast<size_t>(row * kBlockColumns + std::bit_width(columns));
    for (size_t part = 0; part < kBlockPixels; part += lanes) {
      // What is the same along the row; alpha is that of blendBlock, bit for bit.
      const V py =
          hn::Add(hn::Load(d, kY + part), hn::Set(d, static_cast<float>(row * kBlockHeight)));
      const V x1 = hn::MulAdd(hn::Set(d, batch.xy[k]), py, hn::Set(d, batch.x1[k]));
      const V y_terms = hn::MulAdd(hn::MulAdd(hn::Set(d, batch.yy[k]), py, hn::Set(d, batch.y1[k])),
                                   py, hn::Set(d, batch.one[k]));
      const V dy = hn::Sub(py, hn::Set(d, batch.y[k]));
      const V t0 = hn::MulSub(hn::Set(d, batch.shear[k]), dy, hn::Set(d, batch.x[k]));
      V px = hn::Add(hn::Load(d, kX + part),
                     hn::Set(d, static_cast<float>(first % kBlockColumns * kBlockWidth)));
      V row_l = zero, row_lt = zero;
      for (size_t block = first; block < end; ++block, px = hn::Add(px, width)) {
        if (tile.is_opaque[block]) continue;
        TileGradient::Block& pixels = tile.blocks[block];
        const V log2_alpha = hn::MulAdd(hn::MulAdd(hn::Set(d, batch.xx[k]), px, x1), px, y_terms);
        const V raw = exp2Of(log2_alpha);
        const V alpha = hn::IfThenElseZero(hn::Ge(log2_alpha, floor), hn::Min(raw, max_alpha));

        const V g_red = hn::Load(d, &pixels.red[part]), g_green = hn::Load(d, &pixels.green[part]),
                g_blue = hn::Load(d, &pixels.blue[part]);
        const V left = hn::Load(d, &pixels.transmittance[part]);
        V unit_worth = hn::MulAdd(hn::Set(d, batch.red[k]), g_red,
                                  hn::MulAdd(hn::Set(d, batch.green[k]), g_green,
                                             hn::Mul(hn::Set(d, batch.blue[k]), g_blue)));
        if constexpr (HasExtras)
          unit_worth = hn::MulAdd(hn::Set(d, batch.depth[k]),
                                  hn::Load(d, &tile.extras[block].depth[part]), unit_worth);
        const V weight = hn::Mul(alpha, left);
        const V worth = hn::Mul(weight, unit_worth);
        const V behind = hn::Sub(hn::Load(d, &pixels.rest[part]), worth);
        hn::Store(behind, d, &pixels.rest[part]);
        const V left_after = hn::NegMulAdd(alpha, left, left);
        hn::Store(left_after, d, &pixels.transmittance[part]);
        if (lanes == kBlockPixels && hn::AllTrue(d, hn::Lt(left_after, nearly_opaque))) {
          tile.is_opaque[block] = 1;
          ++tile.opaque_blocks;
        }
        // By alpha, times alpha: by its natural logarithm. A clamped alpha does not move.
        const V ratio = hn::Div(alpha, hn::Sub(one, alpha));
        const V by_log =
            hn::IfThenElseZero(hn::Lt(raw, max_alpha), hn::NegMulAdd(behind, ratio, worth));

        const V t = hn::Add(px, t0);
        const V along = hn::Mul(by_log, t);
        row_l = hn::Add(row_l, by_log);
        row_lt = hn::Add(row_lt, along);
        ltt = hn::MulAdd(along, t, ltt);
        red = hn::MulAdd(weight, g_red, red);
        green = hn::MulAdd(weight, g_green, green);
        blue = hn::MulAdd(weight, g_blue, blue);
        if constexpr (HasExtras) {
          depth = hn::MulAdd(weight, hn::Load(d, &tile.extras[block].depth[part]), depth);
          error = hn::MulAdd(weight, hn::Load(d, &tile.extras[block].error[part]), error);
        }
      }
      const V across = hn::Mul(row_l, dy);
      l = hn::Add(l, row_l);
      lt = hn::Add(lt, row_lt);
      ly = hn::Add(ly, across);
      lty = hn::MulAdd(row_lt, dy, lty);
      lyy = hn::MulAdd(across, dy, lyy);
    }
  }
  const V ln2 = hn::Set(d, 0.693147181f);  // by log2(alpha)
  storeSums(d, hn::Mul(ln2, l), hn::Mul(ln2, lt), hn::Mul(ln2, ly), hn::Mul(ln2, ltt), &out.l);
  storeSums(d, hn::Mul(ln2, lty), hn::Mul(ln2, lyy), red, green, &out.lty);
  storeSums(d, blue, depth, error, zero, &out.blue);
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

template <bool HasExtras>
void backThroughTile(std::span<const ProjectedSplat> splats, const float* depths,
                     std::span<const uint32_t> ids, int x0, int y0, TileGradient& tile,
                     SplatMoments* moments) {
  Batch batch;
  size_t first = 0;
  for (; first < ids.size() && tile.opaque_blocks < kTileBlocks; first += kBatch) {
    const auto now = ids.subspan(first, std::min(kBatch, ids.size() - first));
    loadBatch(splats, HasExtras ? depths : nullptr, now, static_cast<float>(x0),
              static_cast<float>(y0), batch);
    for (size_t i = first + kBatch; i < std::min(ids.size(), first + 2 * kBatch); ++i)
      __builtin_prefetch(&splats[ids[i]]);
    for (size_t k = 0; k < now.size(); k += hn::Lanes(D())) findColumns(batch, k);
    for (size_t k = 0; k < now.size(); ++k)
      backThroughSplat<HasExtras>(batch, k, tile, moments[first + k]);
    markOpaque(tile);
  }
  if (first < ids.size()) std::fill(moments + first, moments + ids.size(), SplatMoments{});
}

void backPlain(std::span<const ProjectedSplat> splats, const float* depths,
               std::span<const uint32_t> ids, int x0, int y0, TileGradient& tile,
               SplatMoments* moments) {
  backThroughTile<false>(splats, depths, ids, x0, y0, tile, moments);
}
void backWithExtras(std::span<const ProjectedSplat> splats, const float* depths,
                    std::span<const uint32_t> ids, int x0, int y0, TileGradient& tile,
                    SplatMoments* moments) {
  backThroughTile<true>(splats, depths, ids, x0, y0, tile, moments);
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(backPlain);
HWY_EXPORT(backWithExtras);

void TileGradient::clear(int width, int height) {
  if (width < kTileSize || height < kTileSize) {
    blocks.fill({});
    extras.fill({});
  }
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
                   std::span<const uint32_t> ids, int x0, int y0, bool has_extras,
                   TileGradient& tile, SplatMoments* moments) {
  if (has_extras) HWY_DYNAMIC_DISPATCH(backWithExtras)(splats, depths, ids, x0, y0, tile, moments);
  else HWY_DYNAMIC_DISPATCH(backPlain)(splats, depths, ids, x0, y0, tile, moments);
}

}  // namespace gs
#endif
