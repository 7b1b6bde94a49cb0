// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/geometry/extract_surface.hpp"
#include "gs/geometry/oriented_points.hpp"

namespace gs {

// The function near the points whose gradient is closest to their normals, held at zero at the
// points themselves: Poisson reconstruction with screening, in a band around the surface. Solved
// in cubes of 256 samples with a margin, since screening keeps influences local; so memory does
// not grow with the map. `fields` gets the result for every brick of points.bricks().
std::vector<FieldBrick> solvePoissonField(const OrientedPoints& points);

}  // namespace gs
