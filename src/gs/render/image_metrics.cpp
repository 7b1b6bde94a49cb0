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
constexpr int kTaps = 2 * kRadius + 1;

std::array<float, kTaps> windowWeights() {
  std::array<double, kTaps> weights{};
  double sum = 0;
  for (int i = 0; i < kTaps; ++i)
    sum += weights[i] = std::exp(-(i - kRadius) * (i - kRadius) / (2 * 1.5 * 1.5));
  std::array<float, kTaps> rounded{};
  for (int i = 0; i < kTaps; ++i) rounded[i] = static_cast<float>(weights[i] / sum);
  return rounded;
}

// Of one channel: a, b, their squares and their product, as means under the window.
enum Moment { kA, kB, kAA, kBB, kAB, kMoments };
using Rows = std::array<std::vector<float>, kMoments>;

// The means of one image row along x; `padded` is memory.
void blurRow(const Image8& a, const Image8& b, int channel, int y, Rows& padded, float* means,
             size_t stride) {
  static const auto weights = windowWeights();
  const int width = a.width;
  for (int i = 0; i < width + 2 * kRadius; ++i) {
    const int x = std::clamp(i - kRadius, 0, width - 1);
    const float va = a.at(x, y)[channel], vb = b.at(x, y)[channel];
    padded[kA][i] = va;
    padded[kB][i] = vb;
    padded[kAA][i] = va * va;
    padded[kBB][i] = vb * vb;
    padded[kAB][i] = va * vb;
  }
  for (int m = 0; m < kMoments; ++m) {
    float* out = means + stride * m;
    std::fill(out, out + width, 0.0f);
    for (int tap = 0; tap < kTaps; ++tap)
      for (int x = 0; x < width; ++x) out[x] += weights[tap] * padded[m][x + tap];
  }
}

// Adds the similarity of one channel to the rows [begin, end) of `map`.
void addSsimRows(const Image8& a, const Image8& b, int channel, int begin, int end, ImageF& map) {
  static const auto weights = windowWeights();
  constexpr float kC1 = 0.01f * 255 * 0.01f * 255, kC2 = 0.03f * 255 * 0.03f * 255;
  const auto width = static_cast<size_t>(a.width);
  const int first = begin - kRadius, count = end - begin + 2 * kRadius;
  Rows padded;
  for (auto& row : padded) row.resize(width + 2 * kRadius);
  const size_t plane = static_cast<size_t>(count) * width;
  std::vector<float> means(plane * kMoments), sums(width * kMoments);
  for (int i = 0; i < count; ++i)
    blurRow(a, b, channel, std::clamp(first + i, 0, a.height - 1), padded, means.data() + width * i,
            plane);
  for (int y = begin; y < end; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int m = 0; m < kMoments; ++m) {
      float* out = sums.data() + width * m;
      for (int tap = 0; tap < kTaps; ++tap) {
        const float* row = means.data() + plane * m + width * (y - begin + tap);
        for (size_t x = 0; x < width; ++x) out[x] += weights[tap] * row[x];
      }
    }
    const auto row = map.row(y);
    for (size_t x = 0; x < width; ++x) {
      const float ma = sums[x], mb = sums[width * kB + x];
      const float va = sums[width * kAA + x] - ma * ma, vb = sums[width * kBB + x] - mb * mb;
      const float vab = sums[width * kAB + x] - ma * mb;
      row[x] +=
          (2 * ma * mb + kC1) * (2 * vab + kC2) / ((ma * ma + mb * mb + kC1) * (va + vb + kC2));
    }
  }
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

ImageF ssimMap(const Image8& a, const Image8& b) {
  GS_CHECK(a.width == b.width);
  GS_CHECK(a.height == b.height);
  GS_CHECK(a.channels == b.channels);
  ImageF map(a.width, a.height, 1);
  if (map.pixels.empty() || a.channels == 0) return map;
  parallelFor(static_cast<size_t>(a.height), 64, [&](size_t begin, size_t end) {
    for (int channel = 0; channel < a.channels; ++channel)
      addSsimRows(a, b, channel, static_cast<int>(begin), static_cast<int>(end), map);
  });
  for (float& value : map.pixels) value /= static_cast<float>(a.channels);
  return map;
}

double ssim(const Image8& a, const Image8& b) {
  const ImageF map = ssimMap(a, b);
  double sum = 0;
  for (const float value : map.pixels) sum += value;
  return map.pixels.empty() ? 1 : sum / static_cast<double>(map.pixels.size());
}

MaskedSimilarity similarityWhere(const Image8& mask, const Image8& a, const Image8& b,
                                 const ImageF& ssim_map) {
  const auto pixels = static_cast<size_t>(a.width) * a.height;
  GS_CHECK(a.pixels.size() == b.pixels.size());
  GS_CHECK(mask.pixels.size() == pixels);
  GS_CHECK(ssim_map.pixels.size() == pixels);
  MaskedSimilarity result;
  uint64_t squares = 0;
  double similarity = 0;
  for (size_t i = 0; i < pixels; ++i) {
    if (mask.pixels[i] == 0) continue;
    ++result.pixels;
    similarity += ssim_map.pixels[i];
    for (size_t c = 0; c < static_cast<size_t>(a.channels); ++c) {
      const int delta = a.pixels[a.channels * i + c] - b.pixels[a.channels * i + c];
      squares += static_cast<uint64_t>(delta * delta);
    }
  }
  if (result.pixels == 0) return result;
  const auto count = static_cast<double>(result.pixels);
  result.ssim = similarity / count;
  result.psnr_db = squares == 0
                       ? kMaxPsnrDb
                       : std::min(kMaxPsnrDb, 10 * std::log10(255.0 * 255 * count * a.channels /
                                                              static_cast<double>(squares)));
  return result;
}

}  // namespace gs
