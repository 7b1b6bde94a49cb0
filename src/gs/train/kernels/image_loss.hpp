// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/core/aligned.hpp"

namespace gs {

// Three planes of floats; rows are padded to whole vectors with zeros.
struct PlanarImage {
  int width = 0, height = 0, stride = 0;
  std::array<AlignedVector<float>, 3> planes;

  void resize(int new_width, int new_height);  // contents are not kept
  float* row(size_t plane, int y) {
    return planes[plane].data() + static_cast<size_t>(y) * static_cast<size_t>(stride);
  }
  const float* row(size_t plane, int y) const {
    return planes[plane].data() + static_cast<size_t>(y) * static_cast<size_t>(stride);
  }
};

struct ImageLoss {
  double loss = 0, l1 = 0, ssim = 0, squared = 0;  // squared: mean of (x - y)^2
};

// (1 - ssim_weight) * mean |x - y| + ssim_weight * (1 - mean SSIM(x, y)), over all pixels and
// channels; SSIM as in image_metrics.hpp, with zeros beyond the border. `gradient` is the loss'
// derivative by x.
ImageLoss imageLoss(const PlanarImage& x, const PlanarImage& y, double ssim_weight,
                    PlanarImage& gradient);

}  // namespace gs
