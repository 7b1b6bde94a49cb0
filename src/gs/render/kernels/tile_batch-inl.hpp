// SPDX-License-Identifier: Apache-2.0
// Splats of a tile, 64 at a time, and which blocks of pixels they touch: what the kernels that
// blend and that differentiate a tile share. Compiled once per instruction set, as Highway has it.
#if defined(GS_RENDER_KERNELS_TILE_BATCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GS_RENDER_KERNELS_TILE_BATCH_INL_HPP
#undef GS_RENDER_KERNELS_TILE_BATCH_INL_HPP
#else
#define GS_RENDER_KERNELS_TILE_BATCH_INL_HPP
#endif

#include <algorithm>
#include <cstring>
#include <span>

#include <hwy/highway.h>

#include "gs/render/kernels/blend_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Splats are taken 64 at a time: which of them touch a block is one word.
constexpr size_t kBatch = 64;

struct Batch {
  // Whole vectors more than splats, so that the last vector may be a full one.
  static constexpr size_t kPlaces = kBatch + kBlockPixels;
  using Places = float[kPlaces];
  // As they come, positions relative to the tile.
  alignas(64) Places x, y, a, shear, e, log2_opacity, depth;
  alignas(64) uint32_t packed_rgb[3][kPlaces];
  // log2(alpha) = (xx px + xy py + x1) px + (yy py + y1) py + one
  alignas(64) Places xx, xy, yy, x1, y1, one;
  alignas(64) Places red, green, blue;
  // Bit c of [row][splat]: the splat touches block c of that row of blocks.
  alignas(64) uint8_t columns[kBlockRows][kBatch];
  // Rows of blocks outside [first_row, end_row) are not touched at all.
  alignas(64) uint8_t first_row[kPlaces], end_row[kPlaces];
  alignas(64) uint64_t splats_of[kTileBlocks];
};

using D = hn::CappedTag<float, kBlockPixels>;
using V = hn::Vec<D>;

inline void makeInvisible(Batch& batch, size_t k) {
  batch.x[k] = batch.y[k] = batch.shear[k] = batch.depth[k] = 0;
  batch.a[k] = batch.e[k] = -1;
  batch.log2_opacity[k] = -2 * kLog2Of255;
  batch.packed_rgb[0][k] = batch.packed_rgb[1][k] = batch.packed_rgb[2][k] = 0;
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
  const hn::RebindToUnsigned<D> du;
  const auto color = [&](int c) HWY_ATTR {
    const auto packed = hn::Load(du, batch.packed_rgb[c] + k);
    return hn::BitCast(
        d, hn::Add(hn::ShiftLeft<PackedRgb::kShift>(packed), hn::Set(du, PackedRgb::kBias)));
  };
  hn::Store(color(0), d, batch.red + k);
  hn::Store(color(1), d, batch.green + k);
  hn::Store(color(2), d, batch.blue + k);
}

inline void loadBatch(std::span<const ProjectedSplat> splats, const float* depths,
                      std::span<const uint32_t> ids, float x0, float y0, Batch& batch) {
  for (size_t k = 0; k < ids.size(); ++k) {
    const ProjectedSplat& splat = splats[ids[k]];
    batch.x[k] = splat.x - x0;
    batch.y[k] = splat.y - y0;
    batch.a[k] = splat.a;
    batch.shear[k] = splat.shear;
    batch.e[k] = splat.e;
    batch.log2_opacity[k] = splat.log2_opacity;
    for (int c = 0; c < 3; ++c) batch.packed_rgb[c][k] = splat.color.channel(c);
    if (depths != nullptr) batch.depth[k] = depths[ids[k]];
  }
  // The rest of the last vector: splats that reach nothing.
  for (size_t k = ids.size(); k % kBlockPixels != 0; ++k) makeInvisible(batch, k);
  for (size_t k = 0; k < ids.size(); k += hn::Lanes(D())) prepare(batch, k);
}

// For one vector of splats, row by row of blocks: the columns of blocks that the ellipse reaches,
// as bits. Lengths along x are in blocks. A row has two lines of pixels; its span is as wide as the
// ellipse at the line nearer to its middle, and covers the shift between the lines.
inline void findColumns(Batch& batch, size_t k) {
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
  const auto toRow = [&](const V& line) HWY_ATTR {
    const V inside = hn::Min(hn::Max(line, zero), hn::Set(d, 1.0f * kTileSize));
    return hn::ConvertTo(di, hn::Mul(inside, hn::Set(d, 1.0f / kBlockHeight)));
  };
  const auto first_row = toRow(hn::Sub(hn::Sub(y, half_height), hn::Set(d, 0.1f)));
  const auto end_row = toRow(hn::Add(hn::Add(y, half_height), hn::Set(d, kBlockHeight + 0.1f)));
  hn::StoreU(hn::DemoteTo(d8, first_row), d8, batch.first_row + k);
  hn::StoreU(hn::DemoteTo(d8, end_row), d8, batch.end_row + k);
  const int begin = hn::GetLane(hn::MinOfLanes(di, first_row));
  const int end = hn::GetLane(hn::MaxOfLanes(di, end_row));
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
inline void findSplatsOfBlocks(Batch& batch) {
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

// 2^x for x in about [-9, 0.1], to 4 parts in 10^6 (degree 4 through Chebyshev points of
// [-1/2, 1/2]).
HWY_INLINE V exp2Of(const V& x) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12582912.0f);  // 1.5 * 2^23: the sum's low bits are round(x)
  const V shifted = hn::Add(x, magic);
  const V f = hn::Sub(x, hn::Sub(shifted, magic));
  V p = hn::MulAdd(hn::Set(d, 0.00966636852f), f, hn::Set(d, 0.0559219758f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.24022349f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.693121045f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
