// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/geometry/cell_grid.hpp"

namespace gs {

// Fills NaN cells that lie between known ones no farther than `max_hole` apart, along a row, a
// column or a diagonal. Where that is so in several directions the level one counts most: under a
// car beside a kerb the road goes on along the road, not up to the pavement.
void bridgeHoles(const CellGrid& grid, double max_hole, std::vector<float>& heights);

// Median of the known cells in a square of `kernel` cells around each known cell.
std::vector<float> medianFiltered(const CellGrid& grid, int kernel,
                                  const std::vector<float>& heights);

}  // namespace gs
