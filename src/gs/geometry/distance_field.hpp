// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/geometry/cell_grid.hpp"

namespace gs {

// Squared distance, in cells, from every cell to the nearest one that is set; a huge number when
// none is. Exact, in time proportional to the number of cells.
std::vector<float> squaredDistances(const CellGrid& grid, const std::vector<uint8_t>& is_set);

}  // namespace gs
