// SPDX-License-Identifier: Apache-2.0
#include "gs/train/depth_loss.hpp"

#include <cmath>

namespace gs {

double depthLoss(const PlanarImage& extras, std::span<const DepthSample> samples, double weight,
                 PlanarImage& by_extras) {
  if (weight <= 0 || samples.empty()) return 0;
  const double per_sample = weight / static_cast<double>(samples.size());
  double loss = 0;
  for (const DepthSample& sample : samples) {
    const int x = static_cast<int>(std::lround(sample.x_px));
    const int y = static_cast<int>(std::lround(sample.y_px));
    const float left = extras.row(0, y)[x], seen = 1 - left;
    if (seen < 0.3f) continue;
    const float depth = extras.row(1, y)[x] / seen;
    // Relative: a LiDAR's point is as sure at 50 m as at 5 m, but a pixel is ten times as large.
    const float error = (depth - sample.depth) / sample.depth;
    // Far off, it is another surface that is meant.
    if (std::abs(error) > 0.3f) continue;
    loss += per_sample * std::abs(error);
    const float g = static_cast<float>(error > 0 ? per_sample : -per_sample) / sample.depth;
    by_extras.row(1, y)[x] += g / seen;
    by_extras.row(0, y)[x] += g * depth / seen;
  }
  return loss;
}

}  // namespace gs
