// SPDX-License-Identifier: Apache-2.0
#include "gs/render/kernels/blend_tile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gs/render/splat_renderer.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/render/kernels/blend_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "gs/render/kernels/tile_batch-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// All splats of a batch that touch one block, with the block's pixels in registers.
template <bool HasExtras>
HWY_INLINE void blendBlock(const Batch& batch, int block, uint64_t splats, TileState& state) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const V max_alpha = hn::Set(d, static_cast<float>(kMaxAlpha));
  const V floor = hn::Set(d, -kLog2Of255);
  alignas(64) static constexpr float kX[kBlockPixels] = {0, 1, 2, 3, 0, 1, 2, 3};
  alignas(64) static constexpr float kY[kBlockPixels] = {0, 0, 0, 0, 1, 1, 1, 1};
  const auto block_x = static_cast<float>(block % kBlockColumns * kBlockWidth);
  const auto block_y = static_cast<float>(block / kBlockColumns * kBlockHeight);
  bool is_opaque = true;
  for (size_t part = 0; part < kBlockPixels; part += lanes) {
    TileState::Block& pixels = state.blocks[block];
    TileState::Extras& extras = state.extras[block];
    const V px = hn::Add(hn::Load(d, kX + part), hn::Set(d, block_x));
    const V py = hn::Add(hn::Load(d, kY + part), hn::Set(d, block_y));
    V red = hn::Load(d, &pixels.red[part]), green = hn::Load(d, &pixels.green[part]),
      blue = hn::Load(d, &pixels.blue[part]), left = hn::Load(d, &pixels.transmittance[part]);
    V depth = hn::Zero(d), count = hn::Zero(d);
    if constexpr (HasExtras) {
      depth = hn::Load(d, &extras.depth[part]);
      count = hn::Load(d, &extras.count[part]);
    }
    const auto alphaOf = [&](size_t k) HWY_ATTR {
      const V by_x = hn::MulAdd(hn::Set(d, batch.xx[k]), px,
                                hn::MulAdd(hn::Set(d, batch.xy[k]), py, hn::Set(d, batch.x1[k])));
      const V by_y = hn::MulAdd(hn::Set(d, batch.yy[k]), py, hn::Set(d, batch.y1[k]));
      const V log2_alpha = hn::MulAdd(by_x, px, hn::MulAdd(by_y, py, hn::Set(d, batch.one[k])));
      return hn::IfThenElseZero(hn::Ge(log2_alpha, floor), hn::Min(exp2Of(log2_alpha), max_alpha));
    };
    const auto take = [&](size_t k, const V& alpha) HWY_ATTR {
      const V weight = hn::Mul(alpha, left);
      red = hn::MulAdd(weight, hn::Set(d, batch.red[k]), red);
      green = hn::MulAdd(weight, hn::Set(d, batch.green[k]), green);
      blue = hn::MulAdd(weight, hn::Set(d, batch.blue[k]), blue);
      if constexpr (HasExtras) {
        depth = hn::MulAdd(weight, hn::Set(d, batch.depth[k]), depth);
        const auto takes =
            hn::And(hn::Gt(alpha, hn::Zero(d)), hn::Ge(left, hn::Set(d, kNearlyOpaque)));
        count = hn::Add(count, hn::IfThenElseZero(takes, hn::Set(d, 1)));
      }
      left = hn::NegMulAdd(alpha, left, left);
    };
    for (uint64_t rest = splats; rest != 0; rest &= rest - 1) {
      const auto first = static_cast<size_t>(std::countr_zero(rest));
      take(first, alphaOf(first));
      if (hn::AllTrue(d, hn::Lt(left, hn::Set(d, kNearlyOpaque)))) break;
    }
    hn::Store(red, d, &pixels.red[part]);
    hn::Store(green, d, &pixels.green[part]);
    hn::Store(blue, d, &pixels.blue[part]);
    hn::Store(left, d, &pixels.transmittance[part]);
    if constexpr (HasExtras) {
      hn::Store(depth, d, &extras.depth[part]);
      hn::Store(count, d, &extras.count[part]);
    }
    is_opaque &= hn::AllTrue(d, hn::Lt(left, hn::Set(d, kNearlyOpaque)));
  }
  state.is_opaque[block] = is_opaque;
  state.opaque_blocks += is_opaque;
}

template <bool HasExtras>
void blendSplats(std::span<const ProjectedSplat> splats, const float* depths,
                 std::span<const uint32_t> ids, int x0, int y0, TileState& state) {
  Batch batch;
  for (size_t k = kBatch; k < Batch::kPlaces; ++k) makeInvisible(batch, k);
  for (size_t k = kBatch; k < Batch::kPlaces; k += hn::Lanes(D())) prepare(batch, k);
  for (size_t first = 0; first < ids.size() && state.opaque_blocks < kTileBlocks; first += kBatch) {
    const auto now = ids.subspan(first, std::min(kBatch, ids.size() - first));
    loadBatch(splats, HasExtras ? depths : nullptr, now, static_cast<float>(x0),
              static_cast<float>(y0), batch);
    // The next batch comes from anywhere in memory; it has until then to arrive.
    for (size_t i = first + kBatch; i < std::min(ids.size(), first + 2 * kBatch); ++i)
      __builtin_prefetch(&splats[ids[i]]);
    size_t k = 0;
    for (; k < now.size(); k += hn::Lanes(D())) findColumns(batch, k);
    if (k < kBatch)
      for (auto& row : batch.columns) std::memset(row + k, 0, kBatch - k);
    findSplatsOfBlocks(batch);
    for (int block = 0; block < kTileBlocks; ++block) {
      const uint64_t touching = batch.splats_of[block];
      if (touching == 0 || state.is_opaque[block]) continue;
      state.evaluated_lanes += static_cast<uint64_t>(std::popcount(touching)) * kBlockPixels;
      blendBlock<HasExtras>(batch, block, touching, state);
    }
  }
}

void blendPlain(std::span<const ProjectedSplat> splats, std::span<const uint32_t> ids, int x0,
                int y0, TileState& state) {
  blendSplats<false>(splats, nullptr, ids, x0, y0, state);
}
void blendWithExtras(std::span<const ProjectedSplat> splats, const float* depths,
                     std::span<const uint32_t> ids, int x0, int y0, TileState& state) {
  blendSplats<true>(splats, depths, ids, x0, y0, state);
}

void resolvePixels(const TileState& state, const TileBackdrop* backdrop,
                   const std::array<float, 3>& background, const std::array<float, 3>& gain,
                   int width, int height, uint8_t* rgb, size_t stride) {
  const D d;
  const hn::RebindToSigned<D> di;
  const size_t lanes = hn::Lanes(d);
  alignas(64) uint32_t packed[kBlockPixels];
  for (int block = 0; block < kTileBlocks; ++block) {
    const int x = block % kBlockColumns * kBlockWidth, y = block / kBlockColumns * kBlockHeight;
    if (x >= width || y >= height) continue;
    for (size_t part = 0; part < kBlockPixels; part += lanes) {
      const TileState::Block& pixels = state.blocks[block];
      const V left = hn::Load(d, &pixels.transmittance[part]);
      const auto levelOf = [&](const TileState::Lanes& channel, size_t c) HWY_ATTR {
        const V back = backdrop != nullptr ? hn::Load(d, &backdrop->blocks[block].rgb[c][part])
                                           : hn::Set(d, background[c]);
        const V color = hn::MulAdd(left, back, hn::Load(d, &channel[part]));
        const V level = hn::MulAdd(color, hn::Set(d, gain[c] * 255), hn::Set(d, 0.5f));
        return hn::ConvertTo(di, hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, 255.5f)));
      };
      const auto rgb0 =
          hn::Or(levelOf(pixels.red, 0), hn::Or(hn::ShiftLeft<8>(levelOf(pixels.green, 1)),
                                                hn::ShiftLeft<16>(levelOf(pixels.blue, 2))));
      hn::Store(rgb0, di, reinterpret_cast<int32_t*>(packed) + part);
    }
    const int rows = std::min(kBlockHeight, height - y), columns = std::min(kBlockWidth, width - x);
    for (int j = 0; j < rows; ++j) {
      uint8_t* out = rgb + static_cast<size_t>(y + j) * stride + static_cast<size_t>(x) * 3;
      const uint32_t* p = packed + j * kBlockWidth;
      // Four pixels are three words.
      const uint32_t words[3] = {p[0] | p[1] << 24, p[1] >> 8 | p[2] << 16, p[2] >> 16 | p[3] << 8};
      std::memcpy(out, words, static_cast<size_t>(columns) * 3);
    }
  }
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(blendPlain);
HWY_EXPORT(blendWithExtras);
HWY_EXPORT(resolvePixels);

void TileState::clear(int width, int height, bool has_extras) {
  Block empty;
  empty.red.fill(0);
  empty.green.fill(0);
  empty.blue.fill(0);
  empty.transmittance.fill(1);
  blocks.fill(empty);
  if (has_extras) extras.fill({});
  opaque_blocks = 0;
  for (int block = 0; block < kTileBlocks; ++block) {
    const bool is_outside = block % kBlockColumns * kBlockWidth >= width ||
                            block / kBlockColumns * kBlockHeight >= height;
    is_opaque[static_cast<size_t>(block)] = is_outside;
    opaque_blocks += is_outside;
  }
  evaluated_lanes = 0;
}

void blendTile(std::span<const ProjectedSplat> splats, const float* depths,
               std::span<const uint32_t> ids, int x0, int y0, bool has_extras, TileState& state) {
  if (has_extras) HWY_DYNAMIC_DISPATCH(blendWithExtras)(splats, depths, ids, x0, y0, state);
  else HWY_DYNAMIC_DISPATCH(blendPlain)(splats, ids, x0, y0, state);
}

void resolveTile(const TileState& state, const TileBackdrop* backdrop,
                 const std::array<float, 3>& background, const std::array<float, 3>& gain,
                 int width, int height, uint8_t* rgb, size_t stride) {
  HWY_DYNAMIC_DISPATCH(resolvePixels)
  (state, backdrop, background, gain, width, height, rgb, stride);
}

}  // namespace gs
#endif
