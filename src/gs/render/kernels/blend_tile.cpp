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
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Splats are taken 64 at a time: which of them touch a block is one word.
constexpr size_t kBatch = 64;

struct Batch {
  // Positions are relative to the tile.
  alignas(64) float x[kBatch], y[kBatch], a[kBatch], shear[kBatch], e[kBatch], log2_opacity[kBatch];
  alignas(64) float red[kBatch], green[kBatch], blue[kBatch], depth[kBatch];
  alignas(64) uint16_t half_rgb[3][kBatch];
  // Bit c of [row][splat]: the splat touches block c of that row of blocks.
  alignas(64) uint8_t columns[kBlockRows][kBatch];
  alignas(64) uint64_t splats_of[kTileBlocks];
};

using D = hn::CappedTag<float, kBlockPixels>;
using V = hn::Vec<D>;

void loadBatch(std::span<const ProjectedSplat> splats, const float* depths,
               std::span<const uint32_t> ids, float x0, float y0, Batch& batch) {
  for (size_t k = 0; k < ids.size(); ++k) {
    const ProjectedSplat& splat = splats[ids[k]];
    batch.x[k] = splat.x - x0;
    batch.y[k] = splat.y - y0;
    batch.a[k] = splat.a;
    batch.shear[k] = splat.shear;
    batch.e[k] = splat.e;
    batch.log2_opacity[k] = splat.log2_opacity;
    for (int c = 0; c < 3; ++c) batch.half_rgb[c][k] = splat.rgb[c];
    if (depths != nullptr) batch.depth[k] = depths[ids[k]];
  }
  // The rest of the last vector: splats that reach nothing.
  for (size_t k = ids.size(); k % kBlockPixels != 0; ++k) {
    batch.x[k] = batch.y[k] = batch.shear[k] = 0;
    batch.a[k] = batch.e[k] = -1;
    batch.log2_opacity[k] = -2 * kLog2Of255;
    for (int c = 0; c < 3; ++c) batch.half_rgb[c][k] = 0;
  }
  const D d;
  const hn::Rebind<hwy::float16_t, D> half;
  const auto* halves = reinterpret_cast<const hwy::float16_t*>(batch.half_rgb);
  for (size_t k = 0; k < ids.size(); k += hn::Lanes(d)) {
    hn::Store(hn::PromoteTo(d, hn::Load(half, halves + k)), d, batch.red + k);
    hn::Store(hn::PromoteTo(d, hn::Load(half, halves + kBatch + k)), d, batch.green + k);
    hn::Store(hn::PromoteTo(d, hn::Load(half, halves + 2 * kBatch + k)), d, batch.blue + k);
  }
}

// For one vector of splats, row by row of blocks: the columns that pixel centres inside the ellipse
// fall into, as bits.
void findColumns(Batch& batch, size_t k) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::Rebind<uint8_t, D> d8;
  const V zero = hn::Zero(d), slack = hn::Set(d, 1e-3f);
  const V x = hn::Load(d, batch.x + k), y = hn::Load(d, batch.y + k);
  const V shear = hn::Load(d, batch.shear + k), e = hn::Load(d, batch.e + k);
  const V levels = hn::Add(hn::Load(d, batch.log2_opacity + k), hn::Set(d, kLog2Of255));
  const V inverse_a =
      hn::Div(hn::Set(d, -1), hn::Min(hn::Load(d, batch.a + k), hn::Set(d, -1e-30f)));
  const V half_height =
      hn::Sqrt(hn::Div(hn::Max(levels, zero), hn::Min(hn::Neg(e), hn::Set(d, 1e30f))));
  const auto first_row = hn::GetLane(hn::MinOfLanes(d, hn::Sub(y, half_height)));
  const auto last_row = hn::GetLane(hn::MaxOfLanes(d, hn::Add(y, half_height)));
  constexpr float kLast = kTileSize - 1;
  const int begin = static_cast<int>(std::clamp(first_row - 0.1f, 0.0f, kLast + 1)) / kBlockHeight;
  const int end =
      static_cast<int>(std::clamp(last_row + 0.1f, -1.0f, kLast) + kBlockHeight) / kBlockHeight;
  for (int row = 0; row < kBlockRows; ++row) {
    if (row < begin || row >= end) {
      std::memset(batch.columns[row] + k, 0, hn::Lanes(d));
      continue;
    }
    V left = hn::Set(d, 1e6f), right = hn::Set(d, -1e6f);
    for (int line = 0; line < kBlockHeight; ++line) {
      const V dy = hn::Sub(hn::Set(d, static_cast<float>(row * kBlockHeight + line)), y);
      const V within = hn::MulAdd(hn::Mul(e, dy), dy, levels);
      const auto cuts = hn::Ge(within, zero);
      const V half = hn::Sqrt(hn::Mul(hn::Max(within, zero), inverse_a));
      const V middle = hn::NegMulAdd(shear, dy, x);
      left = hn::IfThenElse(cuts, hn::Min(left, hn::Sub(middle, half)), left);
      right = hn::IfThenElse(cuts, hn::Max(right, hn::Add(middle, half)), right);
    }
    // Block c is touched when its last pixel is not left of `left` and its first not right of
    // `right`; all the bits from the first such block to the last.
    const V quarter = hn::Set(d, 1.0f / kBlockWidth);
    const V first =
        hn::Ceil(hn::Mul(hn::Sub(left, hn::Add(slack, hn::Set(d, kBlockWidth - 1))), quarter));
    const V last = hn::Floor(hn::Mul(hn::Add(right, slack), quarter));
    const auto low = hn::ConvertTo(
        di, hn::Min(hn::Max(first, zero), hn::Set(d, static_cast<float>(kBlockColumns))));
    const auto high =
        hn::ConvertTo(di, hn::Min(hn::Max(last, hn::Set(d, -1)), hn::Set(d, kBlockColumns - 1)));
    const auto all = hn::Set(di, (1 << kBlockColumns) - 1);
    const auto bits =
        hn::And(hn::Shl(all, low), hn::Shr(all, hn::Sub(hn::Set(di, kBlockColumns - 1), high)));
    hn::StoreU(hn::DemoteTo(d8, bits), d8, batch.columns[row] + k);
  }
}

// columns[row][splat] to splats_of[block]: the transpose of a bit matrix.
void findSplatsOfBlocks(Batch& batch) {
  const hn::CappedTag<uint8_t, kBatch> d8;
  const hn::RebindToSigned<decltype(d8)> ds;
  const size_t lanes = hn::Lanes(d8);
  if (lanes < 8) {  // masks come in whole bytes; here are none to be had
    for (int block = 0; block < kTileBlocks; ++block) {
      uint64_t word = 0;
      for (size_t k = 0; k < kBatch; ++k)
        word |= uint64_t{batch.columns[block / kBlockColumns][k] >> block % kBlockColumns & 1u}
                << k;
      batch.splats_of[block] = word;
    }
    return;
  }
  for (int row = 0; row < kBlockRows; ++row)
    for (size_t k = 0; k < kBatch; k += lanes) {
      auto bytes = hn::Load(d8, batch.columns[row] + k);
      for (int column = kBlockColumns - 1; column >= 0; --column) {
        auto* words = reinterpret_cast<uint8_t*>(&batch.splats_of[row * kBlockColumns + column]);
        hn::StoreMaskBits(ds, hn::Lt(hn::BitCast(ds, bytes), hn::Zero(ds)), words + k / 8);
        bytes = hn::Add(bytes, bytes);  // the next bit moves to the top
      }
    }
}

// 2^x for x in about [-9, 0.1], to 1 part in 10^4 (minimax of degree 3 on [-1/2, 1/2]).
HWY_INLINE V exp2Of(const V& x) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12582912.0f);  // 1.5 * 2^23: the sum's low bits are round(x)
  const V shifted = hn::Add(x, magic);
  const V f = hn::Sub(x, hn::Sub(shifted, magic));
  V p = hn::MulAdd(hn::Set(d, 0.0551716691f), f, hn::Set(d, 0.242611122f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.693260985f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.999928074f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

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
    const size_t at = static_cast<size_t>(block) * kBlockPixels + part;
    const V px = hn::Add(hn::Load(d, kX + part), hn::Set(d, block_x));
    const V py = hn::Add(hn::Load(d, kY + part), hn::Set(d, block_y));
    V red = hn::Load(d, &state.red[at]), green = hn::Load(d, &state.green[at]),
      blue = hn::Load(d, &state.blue[at]), left = hn::Load(d, &state.transmittance[at]);
    V depth = hn::Zero(d), count = hn::Zero(d);
    if constexpr (HasExtras) {
      depth = hn::Load(d, &state.depth[at]);
      count = hn::Load(d, &state.count[at]);
    }
    for (uint64_t rest = splats; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<size_t>(std::countr_zero(rest));
      const V dx = hn::Sub(px, hn::Set(d, batch.x[k]));
      const V dy = hn::Sub(py, hn::Set(d, batch.y[k]));
      const V u = hn::MulAdd(hn::Set(d, batch.shear[k]), dy, dx);
      const V e_dy = hn::Mul(hn::Set(d, batch.e[k]), dy);
      const V a_u = hn::Mul(hn::Set(d, batch.a[k]), u);
      const V log2_alpha =
          hn::MulAdd(a_u, u, hn::MulAdd(e_dy, dy, hn::Set(d, batch.log2_opacity[k])));
      const V alpha =
          hn::IfThenElseZero(hn::Ge(log2_alpha, floor), hn::Min(exp2Of(log2_alpha), max_alpha));
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
    }
    hn::Store(red, d, &state.red[at]);
    hn::Store(green, d, &state.green[at]);
    hn::Store(blue, d, &state.blue[at]);
    hn::Store(left, d, &state.transmittance[at]);
    if constexpr (HasExtras) {
      hn::Store(depth, d, &state.depth[at]);
      hn::Store(count, d, &state.count[at]);
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
  for (size_t first = 0; first < ids.size() && state.opaque_blocks < kTileBlocks; first += kBatch) {
    const auto now = ids.subspan(first, std::min(kBatch, ids.size() - first));
    loadBatch(splats, HasExtras ? depths : nullptr, now, static_cast<float>(x0),
              static_cast<float>(y0), batch);
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

void resolvePixels(const TileState& state, const float* behind, bool has_sky, const float* gain,
                   int width, int height, uint8_t* rgb, size_t stride) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::Rebind<uint8_t, D> d8;
  const size_t lanes = hn::Lanes(d);
  alignas(64) uint8_t levels[3][kBlockPixels];
  const float* channels[3] = {state.red.data(), state.green.data(), state.blue.data()};
  for (int block = 0; block < kTileBlocks; ++block) {
    const int x = block % kBlockColumns * kBlockWidth, y = block / kBlockColumns * kBlockHeight;
    if (x >= width || y >= height) continue;
    for (size_t part = 0; part < kBlockPixels; part += lanes) {
      const size_t at = static_cast<size_t>(block) * kBlockPixels + part;
      const V left = hn::Load(d, &state.transmittance[at]);
      for (size_t c = 0; c < 3; ++c) {
        const V back = has_sky ? hn::Load(d, behind + c * kTilePixels + at) : hn::Set(d, behind[c]);
        const V color = hn::MulAdd(left, back, hn::Load(d, channels[c] + at));
        const V level = hn::MulAdd(color, hn::Set(d, gain[c] * 255), hn::Set(d, 0.5f));
        const V clamped = hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, 255.5f));
        hn::StoreU(hn::DemoteTo(d8, hn::ConvertTo(di, clamped)), d8, levels[c] + part);
      }
    }
    const int rows = std::min(kBlockHeight, height - y), columns = std::min(kBlockWidth, width - x);
    for (int j = 0; j < rows; ++j) {
      uint8_t* out = rgb + static_cast<size_t>(y + j) * stride + static_cast<size_t>(x) * 3;
      for (int i = 0; i < columns; ++i)
        for (int c = 0; c < 3; ++c) *out++ = levels[c][j * kBlockWidth + i];
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
  red.fill(0);
  green.fill(0);
  blue.fill(0);
  transmittance.fill(1);
  if (has_extras) {
    depth.fill(0);
    count.fill(0);
  }
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

void resolveTile(const TileState& state, const float* behind, bool has_sky, const float* gain,
                 int width, int height, uint8_t* rgb, size_t stride) {
  HWY_DYNAMIC_DISPATCH(resolvePixels)(state, behind, has_sky, gain, width, height, rgb, stride);
}

}  // namespace gs
#endif
