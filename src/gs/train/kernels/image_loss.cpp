// SPDX-License-Identifier: Apache-2.0
#include "gs/train/kernels/image_loss.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/train/kernels/image_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#ifndef GS_TRAIN_IMAGE_LOSS_ONCE
#define GS_TRAIN_IMAGE_LOSS_ONCE
namespace gs {

constexpr int kRadius = 5, kWindow = 2 * kRadius + 1;
constexpr int kPadding = 16;  // floats before and after a row in scratch memory
constexpr float kC1 = 0.01f * 0.01f, kC2 = 0.03f * 0.03f;
// Gaussian, sigma 1.5, of sum one: the centre and one side.
constexpr float kTaps[kRadius + 1] = {0.26601172f, 0.21300554f,   0.10936069f,
                                      0.03600077f, 0.0075987583f, 0.00102838f};

// One row of each map for kWindow rows: a ring.
struct RowRing {
  explicit RowRing(int stride, int maps)
      : length(static_cast<size_t>(stride)), rows(length * kWindow * static_cast<size_t>(maps)) {}
  float* at(int map, int y) {
    const auto slot = static_cast<size_t>((y + kWindow) % kWindow);
    return rows.data() + (static_cast<size_t>(map) * kWindow + slot) * length;
  }
  size_t length;
  AlignedVector<float> rows;
};

struct LossSums {
  double l1 = 0, ssim = 0, squared = 0;
};

}  // namespace gs
#endif

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

// The window along a row; `from` has kPadding zeros on both sides.
HWY_INLINE void alongRow(const float* from, int width, float* to) {
  const D d;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    V sum = hn::Mul(hn::LoadU(d, from + x), hn::Set(d, kTaps[0]));
    for (int k = 1; k <= kRadius; ++k)
      sum = hn::MulAdd(hn::Add(hn::LoadU(d, from + x - k), hn::LoadU(d, from + x + k)),
                       hn::Set(d, kTaps[k]), sum);
    hn::Store(sum, d, to + x);
  }
}

// The window across rows at x.
HWY_INLINE V acrossRows(const float* const* rows, int x) {
  const D d;
  V sum = hn::Mul(hn::Load(d, rows[kRadius] + x), hn::Set(d, kTaps[0]));
  for (int k = 1; k <= kRadius; ++k)
    sum =
        hn::MulAdd(hn::Add(hn::Load(d, rows[kRadius - k] + x), hn::Load(d, rows[kRadius + k] + x)),
                   hn::Set(d, kTaps[k]), sum);
  return sum;
}

// SSIM of the rows [begin, end) of a plane, and its derivative by the three means that x is in.
void similarity(const PlanarImage& x_image, const PlanarImage& y_image, size_t plane, int begin,
                int end, std::array<PlanarImage, 3>& parts, LossSums& sums) {
  const D d;
  const int width = x_image.width, height = x_image.height;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  constexpr int kMaps = 5;  // x, y, xx, yy, xy
  RowRing ring(x_image.stride, kMaps);
  AlignedVector<float> scratch[kMaps];
  for (auto& row : scratch) row.assign(static_cast<size_t>(x_image.stride) + 2 * kPadding, 0.0f);
  V l1 = hn::Zero(d), squared = hn::Zero(d), total = hn::Zero(d);
  for (int in = begin - kRadius; in < end + kRadius; ++in) {
    if (in < 0 || in >= height) {
      for (int map = 0; map < kMaps; ++map) std::fill_n(ring.at(map, in), x_image.stride, 0.0f);
    } else {
      const float *xs = x_image.row(plane, in), *ys = y_image.row(plane, in);
      const bool is_own = in >= begin && in < end;
      for (int i = 0; i < width; i += lanes) {
        const V a = hn::Load(d, xs + i), b = hn::Load(d, ys + i);
        hn::StoreU(a, d, scratch[0].data() + kPadding + i);
        hn::StoreU(b, d, scratch[1].data() + kPadding + i);
        hn::StoreU(hn::Mul(a, a), d, scratch[2].data() + kPadding + i);
        hn::StoreU(hn::Mul(b, b), d, scratch[3].data() + kPadding + i);
        hn::StoreU(hn::Mul(a, b), d, scratch[4].data() + kPadding + i);
        if (is_own) {
          const V difference = hn::Sub(a, b);  // zero in the padding
          l1 = hn::Add(l1, hn::Abs(difference));
          squared = hn::MulAdd(difference, difference, squared);
        }
      }
      for (int map = 0; map < kMaps; ++map)
        alongRow(scratch[map].data() + kPadding, width, ring.at(map, in));
    }
    const int y = in - kRadius;
    if (y < begin) continue;
    const float* rows[kMaps][kWindow];
    for (int map = 0; map < kMaps; ++map)
      for (int k = 0; k < kWindow; ++k) rows[map][k] = ring.at(map, y - kRadius + k);
    float* out[3];
    for (size_t part = 0; part < 3; ++part) out[part] = parts[part].row(plane, y);
    const V c1 = hn::Set(d, kC1), c2 = hn::Set(d, kC2), one = hn::Set(d, 1), two = hn::Set(d, 2);
    for (int i = 0; i < width; i += lanes) {
      const V mx = acrossRows(rows[0], i), my = acrossRows(rows[1], i);
      const V mxy = hn::Mul(mx, my), mxx = hn::Mul(mx, mx), myy = hn::Mul(my, my);
      const V vx = hn::Sub(acrossRows(rows[2], i), mxx), vy = hn::Sub(acrossRows(rows[3], i), myy);
      const V vxy = hn::Sub(acrossRows(rows[4], i), mxy);
      const V a = hn::MulAdd(two, mxy, c1), b = hn::MulAdd(two, vxy, c2);
      const V c = hn::Add(hn::Add(mxx, myy), c1), e = hn::Add(hn::Add(vx, vy), c2);
      const V inverse_c = hn::Div(one, c), inverse_e = hn::Div(one, e);
      const V scale = hn::Mul(inverse_c, inverse_e);
      const V value = hn::Mul(hn::Mul(a, b), scale);
      // value = a b / (c e); vx = m(xx) - mx^2, vxy = m(xy) - mx my
      const V by_vx = hn::Neg(hn::Mul(value, inverse_e));
      const V by_vxy = hn::Mul(two, hn::Mul(a, scale));
      const V by_mx = hn::Sub(hn::Mul(two, hn::Mul(my, hn::Mul(b, scale))),
                              hn::Mul(two, hn::Mul(mx, hn::Mul(value, inverse_c))));
      const V by_mean = hn::Sub(hn::NegMulAdd(by_vxy, my, by_mx), hn::Mul(two, hn::Mul(by_vx, mx)));
      const auto inside = hn::FirstN(d, static_cast<size_t>(std::min(lanes, width - i)));
      total = hn::Add(total, hn::IfThenElseZero(inside, value));
      hn::Store(hn::IfThenElseZero(inside, by_mean), d, out[0] + i);
      hn::Store(hn::IfThenElseZero(inside, by_vx), d, out[1] + i);
      hn::Store(hn::IfThenElseZero(inside, by_vxy), d, out[2] + i);
    }
  }
  sums = {static_cast<double>(hn::GetLane(hn::SumOfLanes(d, l1))),
          static_cast<double>(hn::GetLane(hn::SumOfLanes(d, total))),
          static_cast<double>(hn::GetLane(hn::SumOfLanes(d, squared)))};
}

// The window is its own transpose: the derivative by x of the rows [begin, end).
void differentiate(const PlanarImage& x_image, const PlanarImage& y_image,
                   const std::array<PlanarImage, 3>& parts, size_t plane, int begin, int end,
                   float l1_weight, float ssim_weight, PlanarImage& gradient) {
  const D d;
  const int width = x_image.width, height = x_image.height;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  RowRing ring(x_image.stride, 3);
  AlignedVector<float> scratch;
  scratch.assign(static_cast<size_t>(x_image.stride) + 2 * kPadding, 0.0f);
  for (int in = begin - kRadius; in < end + kRadius; ++in) {
    for (int part = 0; part < 3; ++part) {
      if (in < 0 || in >= height) {
        std::fill_n(ring.at(part, in), x_image.stride, 0.0f);
        continue;
      }
      const float* from = parts[static_cast<size_t>(part)].row(plane, in);
      std::copy_n(from, x_image.stride, scratch.data() + kPadding);
      alongRow(scratch.data() + kPadding, width, ring.at(part, in));
    }
    const int y = in - kRadius;
    if (y < begin) continue;
    const float* rows[3][kWindow];
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < kWindow; ++k) rows[part][k] = ring.at(part, y - kRadius + k);
    const float *xs = x_image.row(plane, y), *ys = y_image.row(plane, y);
    float* out = gradient.row(plane, y);
    const V zero = hn::Zero(d), two = hn::Set(d, 2);
    for (int i = 0; i < width; i += lanes) {
      const V a = hn::Load(d, xs + i), b = hn::Load(d, ys + i);
      const V similarity =
          hn::MulAdd(b, acrossRows(rows[2], i),
                     hn::MulAdd(hn::Mul(two, a), acrossRows(rows[1], i), acrossRows(rows[0], i)));
      const V difference = hn::Sub(a, b);
      const V sign =
          hn::IfThenElse(hn::Gt(difference, zero), hn::Set(d, l1_weight),
                         hn::IfThenElseZero(hn::Lt(difference, zero), hn::Set(d, -l1_weight)));
      const auto inside = hn::FirstN(d, static_cast<size_t>(std::min(lanes, width - i)));
      hn::Store(
          hn::IfThenElseZero(inside, hn::NegMulAdd(hn::Set(d, ssim_weight), similarity, sign)), d,
          out + i);
    }
  }
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(similarity);
HWY_EXPORT(differentiate);

void PlanarImage::resize(int new_width, int new_height) {
  const int new_stride = (new_width + 15) / 16 * 16;
  if (new_width == width && new_height == height) return;
  width = new_width, height = new_height, stride = new_stride;
  for (auto& plane : planes)
    plane.assign(static_cast<size_t>(stride) * static_cast<size_t>(height), 0.0f);
}

ImageLoss::Value ImageLoss::operator()(const PlanarImage& x, const PlanarImage& y,
                                       double ssim_weight, PlanarImage& gradient) {
  gradient.resize(x.width, x.height);
  for (PlanarImage& part : parts_) part.resize(x.width, x.height);
  // Bands are high enough that the rows which two of them compute are few.
  constexpr int kBand = 48;
  const auto bands = static_cast<size_t>((x.height + kBand - 1) / kBand);
  const auto rowsOf = [&](size_t band) {
    const int begin = static_cast<int>(band) * kBand;
    return std::pair(begin, std::min(x.height, begin + kBand));
  };
  std::vector<LossSums> sums(3 * bands);
  parallelFor(3 * bands, 1, [&](size_t i, size_t) {
    const auto [begin, end] = rowsOf(i / 3);
    HWY_DYNAMIC_DISPATCH(similarity)(x, y, i % 3, begin, end, parts_, sums[i]);
  });
  const double count = 3.0 * x.width * x.height;
  const auto l1_weight = static_cast<float>((1 - ssim_weight) / count);
  parallelFor(3 * bands, 1, [&](size_t i, size_t) {
    const auto [begin, end] = rowsOf(i / 3);
    HWY_DYNAMIC_DISPATCH(differentiate)
    (x, y, parts_, i % 3, begin, end, l1_weight, static_cast<float>(ssim_weight / count), gradient);
  });
  Value value;
  for (const LossSums& part : sums) {
    value.l1 += part.l1 / count;
    value.ssim += part.ssim / count;
    value.squared += part.squared / count;
  }
  value.loss = (1 - ssim_weight) * value.l1 + ssim_weight * (1 - value.ssim);
  return value;
}

}  // namespace gs
#endif
