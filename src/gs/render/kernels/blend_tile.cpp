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
  // One place more than splats: see blendBlock.
  static constexpr size_t kPlaces = kBatch + kBlockPixels;
  using Places = float[kPlaces];
  // As they come, positions relative to the tile.
  alignas(64) Places x, y, a, shear, e, log2_opacity, depth;
  alignas(64) uint16_t half_rgb[3][kPlaces];
  // log2(alpha) = (xx px + xy py + x1) px + (yy py + y1) py + one
  alignas(64) Places xx, xy, yy, x1, y1, one;
  alignas(64) Places red, green, blue;
  // Bit c of [row][splat]: the splat touches block c of that row of blocks.
  alignas(64) uint8_t columns[kBlockRows][kBatch];
  alignas(64) uint64_t splats_of[kTileBlocks];
};

using D = hn::CappedTag<float, kBlockPixels>;
using V = hn::Vec<D>;

void makeInvisible(Batch& batch, size_t k) {
  batch.x[k] = batch.y[k] = batch.shear[k] = batch.depth[k] = 0;
  batch.a[k] = batch.e[k] = -1;
  batch.log2_opacity[k] = -2 * kLog2Of255;
  batch.half_rgb[0][k] = batch.half_rgb[1][k] = batch.half_rgb[2][k] = 0;
}

// Derived values of one vector of splats.
HWY_INLINE void prepare(Batch& batch, size_t k) {
  const D d;
  const V x = hn::Load(d, batch.x + k), y = hn::Load(d, batch.y + k);
  const V a = hn::Load(d, batch.a + k), e = hn::Load(d, batch.e + k);
  const V shear = hn::Load(d, batch.shear + k), log2_opacity = hn::Load(d, batch.log2_opacity + k);
  // a (px - x + shear (py - y))^2 + e (py - y)^2 as a polynomial about the tile's first pixel. The
  // constant is a sum of squares again, so nothing cancels that is not small within a tile.
  const V u = hn::Neg(hn::MulAdd(shear, y, x));
  const V two = hn::Set(d, 2), a_shear = hn::Mul(a, shear), a_u = hn::Mul(a, u);
  hn::Store(a, d, batch.xx + k);
  hn::Store(hn::Mul(two, a_shear), d, batch.xy + k);
  hn::Store(hn::MulAdd(a_shear, shear, e), d, batch.yy + k);
  hn::Store(hn::Mul(two, a_u), d, batch.x1 + k);
  hn::Store(hn::Mul(two, hn::NegMulAdd(e, y, hn::Mul(a_u, shear))), d, batch.y1 + k);
  hn::Store(hn::MulAdd(a_u, u, hn::MulAdd(hn::Mul(e, y), y, log2_opacity)), d, batch.one + k);
  const hn::Rebind<hwy::float16_t, D> half;
  const auto color = [&](int c) HWY_ATTR {
    return hn::PromoteTo(
        d, hn::Load(half, reinterpret_cast<const hwy::float16_t*>(batch.half_rgb[c]) + k));
  };
  hn::Store(color(0), d, batch.red + k);
  hn::Store(color(1), d, batch.green + k);
  hn::Store(color(2), d, batch.blue + k);
}

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
  for (size_t k = ids.size(); k % kBlockPixels != 0; ++k) makeInvisible(batch, k);
  for (size_t k = 0; k < ids.size(); k += hn::Lanes(D())) prepare(batch, k);
}

// For one vector of splats, row by row of blocks: the columns of blocks that the ellipse reaches,
// as bits. Lengths along x are in blocks. A row has two lines of pixels; its span is as wide as the
// ellipse at the line nearer to its middle, and covers the shift between the lines.
void findColumns(Batch& batch, size_t k) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::Rebind<uint8_t, D> d8;
  const V zero = hn::Zero(d), one = hn::Set(d, 1), scale = hn::Set(d, 1.0f / kBlockWidth);
  const V x = hn::Mul(hn::Load(d, batch.x + k), scale), y = hn::Load(d, batch.y + k);
  const V shear = hn::Mul(hn::Load(d, batch.shear + k), scale), e = hn::Load(d, batch.e + k);
  const V levels = hn::Add(hn::Load(d, batch.log2_opacity + k), hn::Set(d, kLog2Of255));
  const V inverse_a = hn::Div(hn::Set(d, -1.0f / (kBlockWidth * kBlockWidth)),
                              hn::Min(hn::Load(d, batch.a + k), hn::Set(d, -1e-30f)));
  const V half_height = hn::Sqrt(hn::Div(hn::Max(levels, zero), hn::Neg(e)));
  const float first_line = hn::GetLane(hn::MinOfLanes(d, hn::Sub(y, half_height)));
  const float last_line = hn::GetLane(hn::MaxOfLanes(d, hn::Add(y, half_height)));
  const int begin = static_cast<int>(std::clamp(first_line - 0.1f, 0.0f, 1.0f * kTileSize)) / 2;
  const int end = static_cast<int>(std::clamp(last_line + 2.1f, 0.0f, 1.0f * kTileSize)) / 2;
  // A block is reached when the span's left end is not beyond its last pixel and the right end not
  // before its first: columns from ceil(left - 3/4) to floor(right). A hair more on both sides.
  constexpr float kHair = 1e-3f;
  const V left_offset =
      hn::Sub(hn::Sub(x, hn::Max(shear, zero)), hn::Set(d, 0.75f - 1 + 2 * kHair));
  const V right_offset = hn::Add(hn::Sub(x, hn::Min(shear, zero)), hn::Set(d, 1 + kHair));
  const V columns = hn::Set(d, static_cast<float>(kBlockColumns));
  const auto all = hn::Set(di, (1 << kBlockColumns) - 1);
  for (int row = 0; row < begin; ++row) std::memset(batch.columns[row] + k, 0, hn::Lanes(d));
  for (int row = end; row < kBlockRows; ++row) std::memset(batch.columns[row] + k, 0, hn::Lanes(d));
  V dy = hn::Sub(hn::Set(d, static_cast<float>(begin * kBlockHeight)), y);
  for (int row = begin; row < end; ++row) {
    const V nearer = hn::Min(hn::Abs(dy), hn::Abs(hn::Add(dy, one)));
    const V within = hn::MulAdd(hn::Mul(e, nearer), nearer, levels);
    const V half = hn::Sqrt(hn::Mul(hn::Max(within, zero), inverse_a));
    const V left = hn::Sub(hn::NegMulAdd(shear, dy, left_offset), half);
    const V right = hn::Add(hn::NegMulAdd(shear, dy, right_offset), half);
    const V low = hn::Min(hn::Max(left, zero), columns);
    const V high = hn::IfThenElseZero(hn::Ge(within, zero), hn::Min(hn::Max(right, zero), columns));
    const auto from = hn::Shl(all, hn::ConvertTo(di, low));
    const auto beyond = hn::Shl(all, hn::ConvertTo(di, high));
    hn::StoreU(hn::DemoteTo(d8, hn::And(hn::AndNot(beyond, from), all)), d8,
               batch.columns[row] + k);
    dy = hn::Add(dy, hn::Set(d, kBlockHeight));
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
