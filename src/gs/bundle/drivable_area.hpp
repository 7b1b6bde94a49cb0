// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gs {

// Where the ego may drive: geometry/drivable.geojson, x and y in the map frame.
// A ring is closed: its last point equals its first. Outer rings run counter-clockwise, holes
// clockwise (readers turn them round where a file has it the other way).
using Point2 = std::array<double, 2>;
using Ring = std::vector<Point2>;

struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
  bool operator==(const Polygon&) const = default;
};

struct DrivableFeature {
  std::vector<Polygon> polygons;      // one for a Polygon, any number for a MultiPolygon
  int priority = 0;                   // the smaller wins where features overlap
  std::optional<double> speed_limit;  // m/s
  bool is_multi = false;              // written back as a MultiPolygon
  bool operator==(const DrivableFeature&) const = default;
};

struct DrivableArea {
  std::vector<DrivableFeature> features;  // empty: everything is off the road
  bool operator==(const DrivableArea&) const = default;
};

// The winning feature at a point (smallest priority, then file order), or nothing when off the
// road. Points on an edge count as inside.
std::optional<size_t> findFeatureAt(const DrivableArea& area, double x, double y);
inline bool isDrivable(const DrivableArea& area, double x, double y) {
  return findFeatureAt(area, x, y).has_value();
}

double signedArea(const Ring& ring);  // > 0: counter-clockwise
// Of the union of all features, so overlaps count once.
double areaOf(const DrivableArea& area);
// What of an area lies in a rectangle, its edges included.
DrivableArea partInside(const DrivableArea& area, const Point2& lowest, const Point2& highest);
// Why GEOS calls a polygon invalid ("Self-intersection[3 4]"); empty when it is valid.
std::string invalidityOf(const Polygon& polygon);

}  // namespace gs
