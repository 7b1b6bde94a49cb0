// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/bundle/drivable_area.hpp"
#include "gs/geometry/cell_grid.hpp"

namespace gs {

// The cells that are set, as polygons along the cells' edges: cells that share an edge are one
// polygon, cells that share only a corner are two. Outer rings counter-clockwise, holes clockwise.
// A ring may touch itself at a corner; simplifiedUnion makes it valid.
std::vector<Polygon> traceOutlines(const CellGrid& grid, const std::vector<uint8_t>& is_set);

}  // namespace gs
