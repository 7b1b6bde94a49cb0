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
// not grow with the map.
struct PoissonCube {
  std::vector<uint64_t> bricks;  // whose samples it decides
  std::vector<uint64_t> margin;  // around them, of its neighbours
};
std::vector<PoissonCube> divideIntoCubes(const std::vector<uint64_t>& bricks);

// One result for each of cube.bricks.
void solvePoissonField(const OrientedPoints& points, const PoissonCube& cube,
                       std::span<FieldBrick> out);

}  // namespace gs
