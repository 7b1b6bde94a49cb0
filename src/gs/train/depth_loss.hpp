// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gs/train/kernels/image_loss.hpp"
#include "gs/train/training_set.hpp"

namespace gs {

// What the LiDAR says against a rendered view: `extras` as ViewPass::extras() has it, samples in
// its pixels. Adds the derivative by transmittance and by the sum of depths to planes 0 and 1.
// Range-aware: errors are relative to the depth.
double depthLoss(const PlanarImage& extras, std::span<const DepthSample> samples, double weight,
                 PlanarImage& by_extras);

}  // namespace gs
