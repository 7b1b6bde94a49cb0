// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/drivable_area.hpp"

// What GEOS does with polygons; polygon_geos.cpp is the only file that names it.
namespace gs {

// All points within `distance` of a line (of a point, when it has no length), with round ends.
// Empty when the line is, or when GEOS gives up.
std::vector<Polygon> bufferedLine(const std::vector<Point2>& line, double distance);

// The union of some polygons as valid ones with corners within `tolerance` of the old outline
// left out; outer rings counter-clockwise, holes clockwise. Parts without area are dropped. Empty
// when GEOS gives up.
std::vector<Polygon> simplifiedUnion(const std::vector<Polygon>& polygons, double tolerance);

// What of the polygons lies in a rectangle, its edges included. Empty when GEOS gives up.
std::vector<Polygon> partInside(const std::vector<Polygon>& polygons, const Point2& lowest,
                                const Point2& highest);

}  // namespace gs

namespace gs::detail {

// Of the union of all; invalid polygons are repaired first. NaN when GEOS gives up.
double unionArea(const std::vector<const Polygon*>& polygons);
std::string geosInvalidity(const Polygon& polygon);

}  // namespace gs::detail
