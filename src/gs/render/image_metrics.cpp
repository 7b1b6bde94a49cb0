// SPDX-License-Identifier: Apache-2.0
#include "gs/render/image_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr int kRadius = 5;

std::array<double, 2 * kRadius + 1> windowWeights() {
  std::array<double, 2 * kRadius + 1> weights{};
  double sum = 0;
  for (int i = -kRadius; i <= kRadius; ++i)
    sum += weights[static_cast<size_t>(i + kRadius)] = std::exp(-i * i / (2 * 1.5 * 1.5));
  for (double& weight : weights) weight /= sum;
  return weights;
}

// One channel as a plane of means under the window, edges repeated; rows first, then columns.
std::vector<float> blurred(const std::vector<float>& plane, int width, int height) {
  static const auto weights = windowWeights();
  std::vector<float> half(plane.size()), full(plane.size());
  const auto pass = [&](const std::vector<float>& from, std::vector<float>& to, int dx, int dy) {
    parallelFor(static_cast<size_t>(height), 16, [&](size_t begin, size_t end) {
      for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
        for (int x = 0; x < width; ++x) {
          double sum = 0;
          for (int i = -kRadius; i <= kRadius; ++i) {
            const int sx = std::clamp(x + i * dx, 0, width - 1);
            const int sy = std::clamp(y + i * dy, 0, height - 1);
            sum += weights[static_cast<size_t>(i + kRadius)] *
                   from[static_cast<size_t>(sy) * width + sx];
          }
          to[static_cast<size_t>(y) * width + x] = static_cast<float>(sum);
        }
    });
  };
  pass(plane, half, 1, 0);
  pass(half, full, 0, 1);
  return full;
}

template <typename Value>
std::vector<float> planeOf(const Image8& image, const Value& value) {
  std::vector<float> plane(static_cast<size_t>(image.width) * image.height);
  for (size_t i = 0; i < plane.size(); ++i) plane[i] = static_cast<float>(value(i));
  return plane;
}

}  // namespace

ImageDifference differenceBetween(const Image8& a, const Image8& b) {
  GS_CHECK(a.width == b.width);
  GS_CHECK(a.height == b.height);
  GS_CHECK(a.channels == b.channels);
  uint64_t squares = 0, close = 0;
  ImageDifference difference;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const int delta = std::abs(a.pixels[i] - b.pixels[i]);
    squares += static_cast<uint64_t>(delta) * delta;
    close += delta <= 2;
    difference.largest = std::max(difference.largest, delta);
  }
  const double count = std::max(1.0, static_cast<double>(a.pixels.size()));
  difference.within_two = static_cast<double>(close) / count;
  difference.psnr_db = squares == 0
                           ? std::numeric_limits<double>::infinity()
                           : 10 * std::log10(255.0 * 255 * count / static_cast<double>(squares));
  return difference;
}

double ssim(const Image8& a, const Image8& b) {
  GS_CHECK(a.width == b.width);
  GS_CHECK(a.height == b.height);
  GS_CHECK(a.channels == b.channels);
  constexpr double kC1 = 0.01 * 255 * 0.01 * 255, kC2 = 0.03 * 255 * 0.03 * 255;
  double sum = 0;
  size_t count = 0;
  for (int c = 0; c < a.channels; ++c) {
    const auto at = [&](const Image8& image, size_t i) -> double {
      return image.pixels[i * image.channels + c];
    };
    const auto blur = [&](auto&& value) { return blurred(planeOf(a, value), a.width, a.height); };
    const auto mean_a = blur([&](size_t i) { return at(a, i); });
    const auto mean_b = blur([&](size_t i) { return at(b, i); });
    const auto mean_aa = blur([&](size_t i) { return at(a, i) * at(a, i); });
    const auto mean_bb = blur([&](size_t i) { return at(b, i) * at(b, i); });
    const auto mean_ab = blur([&](size_t i) { return at(a, i) * at(b, i); });
    for (size_t i = 0; i < mean_a.size(); ++i) {
      const double ma = mean_a[i], mb = mean_b[i];
      const double va = mean_aa[i] - ma * ma, vb = mean_bb[i] - mb * mb;
      const double vab = mean_ab[i] - ma * mb;
      sum += (2 * ma * mb + kC1) * (2 * vab + kC2) / ((ma * ma + mb * mb + kC1) * (va + vb + kC2));
      ++count;
    }
  }
  return count == 0 ? 1 : sum / static_cast<double>(count);
}

}  // namespace gs
