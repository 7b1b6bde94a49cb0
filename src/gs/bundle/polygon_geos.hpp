// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/drivable_area.hpp"

// The questions about polygons that GEOS answers; polygon_geos.cpp is the only file that names it.
namespace gs::detail {

// Of the union of all; invalid polygons are repaired first. NaN when GEOS gives up.
double unionArea(const std::vector<const Polygon*>& polygons);
std::string geosInvalidity(const Polygon& polygon);

}  // namespace gs::detail
