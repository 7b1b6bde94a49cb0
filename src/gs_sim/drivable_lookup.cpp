// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/drivable_lookup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gs_sim {
namespace {

constexpr size_t kMaxStrips = 4096;

}  // namespace

DrivableLookup::DrivableLookup(const gs::DrivableArea& area) {
  for (size_t i = 0; i < area.features.size(); ++i)
    for (const gs::Polygon& polygon : area.features[i].polygons) {
      areas_.push_back(prepared(polygon));
      areas_.back().feature = i;
      areas_.back().priority = area.features[i].priority;
    }
  std::stable_sort(areas_.begin(), areas_.end(),
                   [](const Area& a, const Area& b) { return a.priority < b.priority; });
}

DrivableLookup::Area DrivableLookup::prepared(const gs::Polygon& polygon) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Area area;
  area.min_x = area.min_y = kInfinity;
  area.max_x = area.max_y = -kInfinity;
  std::vector<Edge> edges;
  const auto add = [&](const gs::Ring& ring, uint32_t index) {
    for (size_t i = 0; i + 1 < ring.size(); ++i) {
      // From the lower end to the upper one, as gs::findFeatureAt takes them.
      const gs::Point2 &a = ring[i], &b = ring[i + 1];
      const bool is_upward = a[1] < b[1] || (a[1] == b[1] && a[0] <= b[0]);
      edges.push_back({is_upward ? a : b, is_upward ? b : a, index});
    }
  };
  add(polygon.outer, 0);
  for (size_t i = 0; i < polygon.holes.size(); ++i)
    add(polygon.holes[i], static_cast<uint32_t>(i + 1));
  for (const gs::Point2& p : polygon.outer) {
    area.min_x = std::min(area.min_x, p[0]);
    area.max_x = std::max(area.max_x, p[0]);
    area.min_y = std::min(area.min_y, p[1]);
    area.max_y = std::max(area.max_y, p[1]);
  }
  const size_t strips = std::clamp<size_t>(edges.size() / 4, 1, kMaxStrips);
  const double height = area.max_y - area.min_y;
  area.strips_per_metre = height > 0 ? static_cast<double>(strips) / height : 0;
  const auto strip_of = [&](double y) {
    const double strip = (y - area.min_y) * area.strips_per_metre;
    return static_cast<size_t>(std::clamp(strip, 0.0, static_cast<double>(strips - 1)));
  };
  std::vector<std::vector<Edge>> by_strip(strips);
  for (const Edge& edge : edges)
    for (size_t i = strip_of(edge.low[1]); i <= strip_of(edge.high[1]); ++i)
      by_strip[i].push_back(edge);
  area.strip_begin.push_back(0);
  for (const auto& strip : by_strip) {
    area.edges.insert(area.edges.end(), strip.begin(), strip.end());
    area.strip_begin.push_back(static_cast<uint32_t>(area.edges.size()));
  }
  return area;
}

bool DrivableLookup::contains(const Area& area, double x, double y) {
  // Written so that NaN fails.
  if (!(x >= area.min_x && x <= area.max_x && y >= area.min_y && y <= area.max_y)) return false;
  const size_t strips = area.strip_begin.size() - 1;
  const double strip = (y - area.min_y) * area.strips_per_metre;
  const auto at = static_cast<size_t>(std::clamp(strip, 0.0, static_cast<double>(strips - 1)));

  uint32_t ring = 0;
  bool is_inside = false, is_on_edge = false;
  // What the ring that ends here says: nothing yet, or the answer for the whole polygon.
  const auto verdict = [&]() -> std::optional<bool> {
    if (ring == 0) {
      if (is_on_edge) return true;
      if (!is_inside) return false;
      return std::nullopt;
    }
    if (!is_on_edge && is_inside) return false;  // in a hole
    return std::nullopt;
  };
  for (uint32_t i = area.strip_begin[at]; i < area.strip_begin[at + 1]; ++i) {
    const Edge& edge = area.edges[i];
    if (edge.ring != ring) {
      if (const auto answer = verdict()) return *answer;
      ring = edge.ring;
      is_inside = is_on_edge = false;
    }
    const auto& [low, high] = std::pair(edge.low, edge.high);
    if (!(y >= low[1] && y <= high[1])) continue;
    if (low[1] == high[1]) {
      if (x >= low[0] && x <= high[0]) is_on_edge = true;
      continue;
    }
    const double cross = (high[0] - low[0]) * (y - low[1]) - (x - low[0]) * (high[1] - low[1]);
    if (cross == 0.0) is_on_edge = true;
    if (cross > 0.0 && y < high[1]) is_inside = !is_inside;
  }
  return verdict().value_or(true);
}

std::optional<size_t> DrivableLookup::findFeatureAt(double x, double y) const {
  for (const Area& area : areas_)
    if (contains(area, x, y)) return area.feature;
  return std::nullopt;
}

}  // namespace gs_sim
