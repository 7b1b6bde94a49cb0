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
// An image is taken in strips so narrow that the rows in work stay in the near caches, all the way
// from pixels to derivatives: nothing in between is written to memory.
constexpr int kStrip = 128;
constexpr int kHalo = 8;                     // beside a strip: whole vectors, at least the radius
constexpr int kMiddle = kStrip + 2 * kHalo;  // columns of which the similarity is needed
constexpr int kOuter = kStrip + 4 * kHalo;   // columns of which the pixels are needed
constexpr float kC1 = 0.01f * 0.01f, kC2 = 0.03f * 0.03f;
// Gaussian, sigma 1.5, of sum one: the centre and one side.
constexpr float kTaps[kRadius + 1] = {0.26601172f, 0.21300554f,   0.10936069f,
                                      0.03600077f, 0.0075987583f, 0.00102838f};

// The rows of a map that a window covers. Each is kept twice, so that those of any window lie one
// after the other, at offsets known to the compiler.
template <int Width>
struct RowRing {
  alignas(64) float rows[2 * kWindow][Width];

  float* at(int y) { return rows[(y + 2 * kWindow) % kWindow]; }
  void clear(int y) {
    std::fill_n(at(y), Width, 0.0f);
    std::fill_n(at(y) + kWindow * Width, Width, 0.0f);
  }
  // The window around row y, first row first.
  const float* around(int y) { return at(y - kRadius); }
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

// The window along a row; `from` has a halo on both sides.
template <int Width>
HWY_INLINE void alongRow(const float* from, RowRing<Width>& ring, int y) {
  const D d;
  float* to = ring.at(y);
  for (int x = 0; x < Width; x += static_cast<int>(hn::Lanes(d))) {
    const float* at = from + kHalo + x;
    V sum = hn::Mul(hn::LoadU(d, at), hn::Set(d, kTaps[0]));
#pragma GCC unroll 5
    for (int k = 1; k <= kRadius; ++k)
      sum = hn::MulAdd(hn::Add(hn::LoadU(d, at - k), hn::LoadU(d, at + k)), hn::Set(d, kTaps[k]),
                       sum);
    hn::Store(sum, d, to + x);
    hn::Store(sum, d, to + kWindow * Width + x);
  }
}

// The window across rows; `first` is in the first of them.
template <int Width>
HWY_INLINE V acrossRows(const float* first) {
  const D d;
  V sum = hn::Mul(hn::Load(d, first + kRadius * Width), hn::Set(d, kTaps[0]));
#pragma GCC unroll 5
  for (int k = 1; k <= kRadius; ++k)
    sum = hn::MulAdd(hn::Add(hn::Load(d, first + (kRadius - k) * Width),
                             hn::Load(d, first + (kRadius + k) * Width)),
                     hn::Set(d, kTaps[k]), sum);
  return sum;
}

// What SSIM is made of, for pixels x and y: x, y, xx + yy, xy.
constexpr int kMaps = 4;
struct PixelRows {
  alignas(64) float maps[kMaps][kOuter] = {};
};
// SSIM's derivatives by the means of x, xx and xy.
constexpr int kParts = 3;
struct PartRows {
  alignas(64) float parts[kParts][kMiddle] = {};
};

// One strip of one plane, from top to bottom: row `in` enters, row in - 5 gets its similarity, row
// in - 10 its derivative. The window is its own transpose.
void lossOfStrip(const PlanarImage& x_image, const PlanarImage& y_image, size_t plane, int strip,
                 float l1_weight, float ssim_weight, PlanarImage& gradient, LossSums& sums) {
  const D d;
  const int width = x_image.width, height = x_image.height;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const V zero = hn::Zero(d), one = hn::Set(d, 1), two = hn::Set(d, 2);
  const V c1 = hn::Set(d, kC1), c2 = hn::Set(d, kC2);
  V l1 = zero, squared = zero, total = zero;
  RowRing<kMiddle> rings[kMaps];
  RowRing<kStrip> part_rings[kParts];
  PixelRows pixels;
  PartRows similar;
  // Columns of the strip's surroundings that the image has; a stride is whole vectors.
  const int outer = strip - 2 * kHalo, middle = strip - kHalo;
  const int outer_begin = std::max(0, -outer), outer_end = std::min(kOuter, x_image.stride - outer);
  const int middle_begin = std::max(0, -middle), middle_end = std::min(kMiddle, width - middle);
  const int own_end = std::min(kStrip, width - strip);

  const auto takeRow = [&](int y) HWY_ATTR {
    const float *xs = x_image.row(plane, y) + outer, *ys = y_image.row(plane, y) + outer;
    for (int i = outer_begin; i < outer_end; i += lanes) {
      const V a = hn::Load(d, xs + i), b = hn::Load(d, ys + i);
      hn::Store(a, d, pixels.maps[0] + i);
      hn::Store(b, d, pixels.maps[1] + i);
      hn::Store(hn::MulAdd(a, a, hn::Mul(b, b)), d, pixels.maps[2] + i);
      hn::Store(hn::Mul(a, b), d, pixels.maps[3] + i);
    }
    for (int map = 0; map < kMaps; ++map) alongRow(pixels.maps[map], rings[map], y);
  };
  const auto compareRow = [&](int y) HWY_ATTR {
    const float* windows[kMaps];
    for (int map = 0; map < kMaps; ++map) windows[map] = rings[map].around(y);
    for (int i = middle_begin; i < middle_end; i += lanes) {
      const V mx = acrossRows<kMiddle>(windows[0] + i), my = acrossRows<kMiddle>(windows[1] + i);
      const V mxy = hn::Mul(mx, my);
      const V squares = hn::MulAdd(mx, mx, hn::Mul(my, my));
      const V vxy = hn::Sub(acrossRows<kMiddle>(windows[3] + i), mxy);
      const V a = hn::MulAdd(two, mxy, c1), b = hn::MulAdd(two, vxy, c2);
      const V c = hn::Add(squares, c1);
      const V e = hn::Add(hn::Sub(acrossRows<kMiddle>(windows[2] + i), squares), c2);
      const V scale = hn::Div(one, hn::Mul(c, e));
      const V value = hn::Mul(hn::Mul(a, b), scale);
      // value = a b / (c e); vx = m(xx) - mx^2, vxy = m(xy) - mx my
      const V by_vx = hn::Neg(hn::Mul(value, hn::Mul(scale, c)));
      const V by_vxy = hn::Mul(two, hn::Mul(a, scale));
      const V by_mx = hn::Mul(two, hn::Sub(hn::Mul(my, hn::Mul(b, scale)),
                                           hn::Mul(mx, hn::Mul(value, hn::Mul(scale, e)))));
      const V by_mean = hn::Sub(hn::NegMulAdd(by_vxy, my, by_mx), hn::Mul(two, hn::Mul(by_vx, mx)));
      const auto inside = hn::FirstN(d, static_cast<size_t>(std::min(lanes, middle_end - i)));
      if (i >= kHalo && i < kHalo + kStrip)
        total = hn::Add(total, hn::IfThenElseZero(inside, value));
      hn::Store(hn::IfThenElseZero(inside, by_mean), d, similar.parts[0] + i);
      hn::Store(hn::IfThenElseZero(inside, by_vx), d, similar.parts[1] + i);
      hn::Store(hn::IfThenElseZero(inside, by_vxy), d, similar.parts[2] + i);
    }
    for (int part = 0; part < kParts; ++part) alongRow(similar.parts[part], part_rings[part], y);
  };
  const auto differentiateRow = [&](int y) HWY_ATTR {
    const float* windows[kParts];
    for (int part = 0; part < kParts; ++part) windows[part] = part_rings[part].around(y);
    const float *xs = x_image.row(plane, y) + strip, *ys = y_image.row(plane, y) + strip;
    float* out = gradient.row(plane, y) + strip;
    for (int i = 0; i < own_end; i += lanes) {
      const V a = hn::Load(d, xs + i), b = hn::Load(d, ys + i);
      const V similarity = hn::MulAdd(b, acrossRows<kStrip>(windows[2] + i),
                                      hn::MulAdd(hn::Add(a, a), acrossRows<kStrip>(windows[1] + i),
                                                 acrossRows<kStrip>(windows[0] + i)));
      const V difference = hn::Sub(a, b);  // zero in the padding
      l1 = hn::Add(l1, hn::Abs(difference));
      squared = hn::MulAdd(difference, difference, squared);
      const V sign =
          hn::IfThenElse(hn::Gt(difference, zero), hn::Set(d, l1_weight),
                         hn::IfThenElseZero(hn::Lt(difference, zero), hn::Set(d, -l1_weight)));
      const auto inside = hn::FirstN(d, static_cast<size_t>(std::min(lanes, own_end - i)));
      hn::Store(
          hn::IfThenElseZero(inside, hn::NegMulAdd(hn::Set(d, ssim_weight), similarity, sign)), d,
          out + i);
    }
  };

  for (int y = -kRadius; y < 0; ++y) {
    for (auto& ring : rings) ring.clear(y);
    for (auto& ring : part_rings) ring.clear(y);
  }
  for (int in = 0; in < height + 2 * kRadius; ++in) {
    if (in < height) takeRow(in);
    else
      for (auto& ring : rings) ring.clear(in);
    const int compared = in - kRadius, done = in - 2 * kRadius;
    if (compared >= 0 && compared < height) compareRow(compared);
    else if (compared >= 0)
      for (auto& ring : part_rings) ring.clear(compared);
    if (done >= 0) differentiateRow(done);
  }
  sums = {static_cast<double>(hn::GetLane(hn::SumOfLanes(d, l1))),
          static_cast<double>(hn::GetLane(hn::SumOfLanes(d, total))),
          static_cast<double>(hn::GetLane(hn::SumOfLanes(d, squared)))};
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(lossOfStrip);

void PlanarImage::resize(int new_width, int new_height) {
  const int new_stride = (new_width + 15) / 16 * 16;
  if (new_width == width && new_height == height) return;
  width = new_width, height = new_height, stride = new_stride;
  for (auto& plane : planes)
    plane.assign(static_cast<size_t>(stride) * static_cast<size_t>(height), 0.0f);
}

ImageLoss imageLoss(const PlanarImage& x, const PlanarImage& y, double ssim_weight,
                    PlanarImage& gradient) {
  gradient.resize(x.width, x.height);
  const auto strips = static_cast<size_t>((x.width + kStrip - 1) / kStrip);
  std::vector<LossSums> sums(3 * strips);
  const double count = 3.0 * x.width * x.height;
  const auto l1_part = static_cast<float>((1 - ssim_weight) / count);
  const auto ssim_part = static_cast<float>(ssim_weight / count);
  parallelFor(3 * strips, 1, [&](size_t i, size_t) {
    HWY_DYNAMIC_DISPATCH(lossOfStrip)
    (x, y, i / strips, static_cast<int>(i % strips) * kStrip, l1_part, ssim_part, gradient,
     sums[i]);
  });
  ImageLoss value;
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
