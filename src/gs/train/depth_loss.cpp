// SPDX-License-Identifier: Apache-2.0
#include "gs/train/depth_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gs {
namespace {

constexpr float kLeastSeen = 0.3f;  // below it nothing is there to have a depth

// A pixel that takes part in a sample's depth.
struct Part {
  int x, y;
  float weight;  // of its inverse depth
  float seen, depth;
};

Part pixelAt(const PlanarImage& extras, int x, int y, float weight) {
  const float seen = 1 - extras.row(0, y)[x];
  return {x, y, weight, seen, seen < kLeastSeen ? 0 : extras.row(1, y)[x] / seen};
}

// The four pixels around a sample, or the nearest one: across an edge, and at the image's.
// A road at a grazing angle changes by metres from row to row, and 1/z is linear on it.
size_t partsAt(const PlanarImage& extras, const DepthSample& sample, std::array<Part, 4>& parts) {
  const int x = static_cast<int>(sample.x_px), y = static_cast<int>(sample.y_px);
  if (x + 1 < extras.width && y + 1 < extras.height) {
    const float fx = sample.x_px - static_cast<float>(x), fy = sample.y_px - static_cast<float>(y);
    parts = {pixelAt(extras, x, y, (1 - fx) * (1 - fy)), pixelAt(extras, x + 1, y, fx * (1 - fy)),
             pixelAt(extras, x, y + 1, (1 - fx) * fy), pixelAt(extras, x + 1, y + 1, fx * fy)};
    const auto [least, most] = std::minmax_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.depth < b.depth; });
    if (least->depth > 0 && most->depth < 1.3f * least->depth) return 4;
  }
  parts[0] = pixelAt(extras, static_cast<int>(std::lround(sample.x_px)),
                     static_cast<int>(std::lround(sample.y_px)), 1);
  return parts[0].depth > 0 ? 1 : 0;
}

}  // namespace

double depthLoss(const PlanarImage& extras, std::span<const DepthSample> samples, double weight,
                 PlanarImage& by_extras) {
  if (weight <= 0 || samples.empty()) return 0;
  const double per_sample = weight / static_cast<double>(samples.size());
  double loss = 0;
  std::array<Part, 4> parts;
  for (const DepthSample& sample : samples) {
    const size_t count = partsAt(extras, sample, parts);
    if (count == 0) continue;
    float inverse = 0;
    for (size_t i = 0; i < count; ++i) inverse += parts[i].weight / parts[i].depth;
    const float depth = 1 / inverse;
    // Relative: a LiDAR's point is as sure at 50 m as at 5 m, but a pixel is ten times as large.
    const float error = (depth - sample.depth) / sample.depth;
    // Far off, it is another surface that is meant.
    if (!(std::abs(error) <= 0.3f)) continue;
    loss += per_sample * std::abs(error);
    const float g = static_cast<float>(error > 0 ? per_sample : -per_sample) / sample.depth;
    for (size_t i = 0; i < count; ++i) {
      const Part& p = parts[i];
      const float by_depth = g * p.weight * depth * depth / (p.depth * p.depth);
      by_extras.row(1, p.y)[p.x] += by_depth / p.seen;
      by_extras.row(0, p.y)[p.x] += by_depth * p.depth / p.seen;
    }
  }
  return loss;
}

}  // namespace gs
