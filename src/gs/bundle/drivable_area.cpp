// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/drivable_area.hpp"

#include <algorithm>

#include "gs/bundle/polygon_geos.hpp"

namespace gs {
namespace {

enum class Side { Outside, Inside, Edge };

// Which side of a ring a point is on: how often the ray towards +x crosses it. Each edge is taken
// from its lower end to its upper one, whichever way the ring runs, so that two areas that share an
// edge compute the very same number for it: no point falls into a gap between them.
Side sideOf(const Ring& ring, double x, double y) {
  bool is_inside = false;
  for (size_t i = 0; i + 1 < ring.size(); ++i) {
    const bool is_upward = ring[i][1] < ring[i + 1][1] ||
                           (ring[i][1] == ring[i + 1][1] && ring[i][0] <= ring[i + 1][0]);
    const Point2& low = is_upward ? ring[i] : ring[i + 1];
    const Point2& high = is_upward ? ring[i + 1] : ring[i];
    if (!(y >= low[1] && y <= high[1])) continue;
    if (low[1] == high[1]) {
      if (x >= low[0] && x <= high[0]) return Side::Edge;
      continue;
    }
    // > 0: the point is to the left of the edge, which the ray then crosses.
    const double cross = (high[0] - low[0]) * (y - low[1]) - (x - low[0]) * (high[1] - low[1]);
    if (cross == 0.0) return Side::Edge;
    if (cross > 0.0 && y < high[1]) is_inside = !is_inside;  // half-open: a vertex counts once
  }
  return is_inside ? Side::Inside : Side::Outside;
}

bool contains(const Polygon& polygon, double x, double y) {
  const Side outer = sideOf(polygon.outer, x, y);
  if (outer != Side::Inside) return outer == Side::Edge;
  return std::none_of(polygon.holes.begin(), polygon.holes.end(),
                      [&](const Ring& hole) { return sideOf(hole, x, y) == Side::Inside; });
}

}  // namespace

std::optional<size_t> findFeatureAt(const DrivableArea& area, double x, double y) {
  std::optional<size_t> winner;
  for (size_t i = 0; i < area.features.size(); ++i) {
    const DrivableFeature& feature = area.features[i];
    if (winner && area.features[*winner].priority <= feature.priority) continue;
    if (std::any_of(feature.polygons.begin(), feature.polygons.end(),
                    [&](const Polygon& polygon) { return contains(polygon, x, y); }))
      winner = i;
  }
  return winner;
}

double signedArea(const Ring& ring) {
  if (ring.empty()) return 0.0;
  // Relative to the first point: a small ring far from the origin keeps its digits.
  const auto [x0, y0] = ring.front();
  double twice = 0.0;
  for (size_t i = 0; i + 1 < ring.size(); ++i)
    twice += (ring[i][0] - x0) * (ring[i + 1][1] - y0) - (ring[i + 1][0] - x0) * (ring[i][1] - y0);
  return twice / 2;
}

double areaOf(const DrivableArea& area) {
  std::vector<const Polygon*> polygons;
  for (const DrivableFeature& feature : area.features)
    for (const Polygon& polygon : feature.polygons) polygons.push_back(&polygon);
  return detail::unionArea(polygons);
}

DrivableArea partInside(const DrivableArea& area, const Point2& lowest, const Point2& highest) {
  DrivableArea inside;
  for (const DrivableFeature& feature : area.features) {
    DrivableFeature part = feature;
    part.polygons = partInside(feature.polygons, lowest, highest);
    part.is_multi = part.polygons.size() > 1 || feature.is_multi;
    if (!part.polygons.empty()) inside.features.push_back(std::move(part));
  }
  return inside;
}

std::string invalidityOf(const Polygon& polygon) { return detail::geosInvalidity(polygon); }

}  // namespace gs
