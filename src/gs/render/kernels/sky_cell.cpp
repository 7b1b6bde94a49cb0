// SPDX-License-Identifier: Apache-2.0
#include "gs/render/kernels/sky_cell.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/render/kernels/sky_cell.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void fillCell(const SkyTexels& texels, const SkyCorners& corners, int x0, int y0,
              const TileState& state, TileBackdrop& backdrop) {
  const hn::CappedTag<float, kBlockPixels> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto set = [&](float value) { return hn::Set(d, value); };
  alignas(64) static constexpr float kX[kBlockPixels] = {0, 1, 2, 3, 0, 1, 2, 3};
  alignas(64) static constexpr float kY[kBlockPixels] = {0, 0, 0, 0, 1, 1, 1, 1};
  const auto width = static_cast<float>(texels.width), height = static_cast<float>(texels.height);
  const auto* pixels = reinterpret_cast<const int32_t*>(texels.rgb.data());

  for (int y = 0; y < kSkyCell; y += kBlockHeight)
    for (int x = 0; x < kSkyCell; x += kBlockWidth)
      for (size_t part = 0; part < kBlockPixels; part += hn::Lanes(d)) {
        const size_t block = placeInTile(x0 + x, y0 + y).block;
        auto& rgb = backdrop.blocks[block].rgb;
        const auto left = hn::Load(d, &state.blocks[block].transmittance[part]);
        if (hn::AllTrue(d, hn::Lt(left, set(kSkyShows)))) {
          for (auto& channel : rgb) hn::Store(hn::Zero(d), d, &channel[part]);
          continue;
        }
        const auto step = set(1.0f / kSkyCell);
        const auto fx = hn::Mul(hn::Add(hn::Load(d, kX + part), set(static_cast<float>(x))), step);
        const auto fy = hn::Mul(hn::Add(hn::Load(d, kY + part), set(static_cast<float>(y))), step);
        const auto between = [&](float a, float b, float c, float e) {
          const auto top = hn::MulAdd(fx, set(b - a), set(a));
          const auto bottom = hn::MulAdd(fx, set(e - c), set(c));
          return hn::MulAdd(fy, hn::Sub(bottom, top), top);
        };
        auto u = between(corners.top_left.x(), corners.top_right.x(), corners.bottom_left.x(),
                         corners.bottom_right.x());
        auto v = between(corners.top_left.y(), corners.top_right.y(), corners.bottom_left.y(),
                         corners.bottom_right.y());
        u = hn::IfThenElse(hn::Lt(u, hn::Zero(d)), hn::Add(u, set(width)), u);
        u = hn::IfThenElse(hn::Ge(u, set(width)), hn::Sub(u, set(width)), u);
        u = hn::Min(hn::Max(u, hn::Zero(d)), set(width - 0.001f));
        v = hn::Min(hn::Max(v, hn::Zero(d)), set(height - 1));
        const auto column = hn::Floor(u), row = hn::Floor(v);
        const auto du = hn::Sub(u, column), dv = hn::Sub(v, row);
        const auto place = hn::Add(hn::ConvertTo(di, column),
                                   hn::Mul(hn::ConvertTo(di, row), hn::Set(di, texels.stride)));
        const auto p00 = hn::GatherIndex(di, pixels, place);
        const auto p10 = hn::GatherIndex(di, pixels + 1, place);
        const auto p01 = hn::GatherIndex(di, pixels + texels.stride, place);
        const auto p11 = hn::GatherIndex(di, pixels + texels.stride + 1, place);
        for (size_t c = 0; c < 3; ++c) {
          const auto level = [&](auto pixel) {
            return hn::ConvertTo(
                d, hn::And(hn::ShiftRightSame(pixel, static_cast<int>(8 * c)), hn::Set(di, 255)));
          };
          const auto a = level(p00), b = level(p01);
          const auto upper = hn::MulAdd(hn::Sub(level(p10), a), du, a);
          const auto lower = hn::MulAdd(hn::Sub(level(p11), b), du, b);
          const auto color = hn::Mul(hn::MulAdd(hn::Sub(lower, upper), dv, upper), set(1.0f / 255));
          hn::Store(color, d, &rgb[c][part]);
        }
      }
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(fillCell);

void fillSkyCell(const SkyTexels& texels, const SkyCorners& corners, int x0, int y0,
                 const TileState& state, TileBackdrop& backdrop) {
  HWY_DYNAMIC_DISPATCH(fillCell)(texels, corners, x0, y0, state, backdrop);
}

}  // namespace gs
#endif
