// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/geometry/cell_grid.hpp"

namespace gs {

// Heights of the cells where ground was measured, NaN elsewhere; relative to the cloud's origin.
// The ground grows from under the trajectory, the smallest step first, so that a kerb is climbed
// only after the whole road is known, and a car never is.
std::vector<float> growGround(const CellGrid& grid, const CellPoints& cells, const MapCloud& cloud,
                              const std::vector<Rigid3>& map_from_base,
                              const GroundOptions& options);

}  // namespace gs
