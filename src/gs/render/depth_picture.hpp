// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/image.hpp"

namespace gs {

// Depths that most of an image has: 2 of 100 pixels are nearer, 2 are farther.
struct DepthSpan {
  float near = 0, far = 0;  // m; both 0 where there is no depth at all
};
DepthSpan spanOf(const ImageF& depth);

inline constexpr int kDepthLegend = 18;  // px below the image

// Depth for people: colour by the logarithm of the distance over the span of this image, red is
// near, blue far, black is nothing. Below it a bar of the colours with their metres.
Image8 drawDepth(const ImageF& depth);

}  // namespace gs
