// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// At most `max_count` splats in place of many: one for each cell of a grid whose cells grow with
// the distance to the nearest place that images were taken from, so that all splats are about as
// large in an image. A cell's splat has the mean place and colour, lies as the first of the cell
// does, and is as large as the cell.
GaussianCloud thinOut(const GaussianCloud& cloud, std::span<const Vec3> eyes, size_t max_count);

}  // namespace gs
