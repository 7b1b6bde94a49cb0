// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/gaussian_cloud.hpp"

namespace gs {

// 0..1; NaN stays NaN.
float opacityOf(const GaussianCloud& cloud, size_t index);

// Whether a splat can be drawn at all: finite, within 10,000 km of the origin and of that size, a
// rotation with a direction, SH coefficients within the range of half floats, and opaque enough
// for one grey level. A scale of zero (log scale minus infinity) is a point, and fine.
bool isUsable(const GaussianCloud& cloud, size_t index);

}  // namespace gs
