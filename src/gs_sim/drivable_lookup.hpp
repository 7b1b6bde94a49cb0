// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gs/bundle/drivable_area.hpp"

namespace gs_sim {

// gs::findFeatureAt, prepared for being asked at every step: the edges of each polygon sorted into
// horizontal strips, so that an outline of ten thousand points costs as much as one of ten. The
// answers are the same, to the last point on an edge.
class DrivableLookup {
 public:
  explicit DrivableLookup(const gs::DrivableArea& area);

  // The feature that wins at a point (smallest priority, then file order); nothing off the road.
  std::optional<size_t> findFeatureAt(double x, double y) const;

 private:
  struct Edge {
    gs::Point2 low, high;
    uint32_t ring;  // 0 the outer one, then the holes
  };
  struct Area {
    size_t feature = 0;
    int priority = 0;
    double min_x, max_x, min_y, max_y;
    double strips_per_metre = 0;
    std::vector<uint32_t> strip_begin;  // into edges; one more than strips
    std::vector<Edge> edges;            // by strip, then ring; an edge may stand in several strips
  };
  static Area prepared(const gs::Polygon& polygon);
  static bool contains(const Area& area, double x, double y);

  std::vector<Area> areas_;  // the winner comes first
};

}  // namespace gs_sim
