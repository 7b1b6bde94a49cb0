// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/rigid3.hpp"

namespace gs {

// How coefficients of the real spherical harmonics of one degree (1 to 3) turn with the world: row-
// major (2d+1) x (2d+1), b = M a, so that the colour seen along b_from_a * d is what was seen along
// d.
std::vector<double> shRotation(int degree, const Quat& b_from_a);

// The same splats in another frame: positions, rotations and view-dependent colour.
void transformCloud(const Rigid3& b_from_a, GaussianCloud& cloud);

}  // namespace gs
