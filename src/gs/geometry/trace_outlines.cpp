// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/trace_outlines.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace gs {
namespace {

// Headings along cell edges: east, north, west, south. The set cell is on the left.
constexpr int kStepX[] = {1, 0, -1, 0}, kStepY[] = {0, 1, 0, -1};

bool isInside(const Ring& ring, const Point2& p) {
  bool inside = false;
  for (size_t i = 0; i + 1 < ring.size(); ++i) {
    const Point2 &a = ring[i], &b = ring[i + 1];
    if ((a[1] > p[1]) != (b[1] > p[1]) &&
        p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
  }
  return inside;
}

class Tracer {
 public:
  Tracer(const CellGrid& grid, const std::vector<uint8_t>& is_set)
      : grid_(grid), is_set_(is_set), edges_((grid.width + 1) * size_t(grid.height + 1), 0) {
    for (int row = 0; row < grid.height; ++row)
      for (int col = 0; col < grid.width; ++col) {
        if (!isSet(col, row)) continue;
        if (!isSet(col, row - 1)) mark(col, row, 0);
        if (!isSet(col + 1, row)) mark(col + 1, row, 1);
        if (!isSet(col, row + 1)) mark(col + 1, row + 1, 2);
        if (!isSet(col - 1, row)) mark(col, row + 1, 3);
      }
  }

  std::vector<Ring> rings() {
    std::vector<Ring> rings;
    for (int y = 0; y <= grid_.height; ++y)
      for (int x = 0; x <= grid_.width; ++x)
        for (int heading = 0; heading < 4; ++heading)
          if (edgesAt(x, y) & (1 << heading)) rings.push_back(follow(x, y, heading));
    return rings;
  }

 private:
  bool isSet(int col, int row) const {
    return grid_.contains(col, row) && is_set_[grid_.index(col, row)] != 0;
  }
  uint8_t& edgesAt(int x, int y) { return edges_[size_t(y) * (grid_.width + 1) + x]; }
  void mark(int x, int y, int heading) { edgesAt(x, y) |= static_cast<uint8_t>(1 << heading); }

  Ring follow(int x, int y, int heading) {
    Ring ring;
    while (edgesAt(x, y) & (1 << heading)) {
      edgesAt(x, y) &= static_cast<uint8_t>(~(1 << heading));
      x += kStepX[heading];
      y += kStepY[heading];
      // Left first: it stays with the same cell where two meet at a corner.
      int next = heading;
      for (const int turn : {1, 0, 3})
        if (edgesAt(x, y) & (1 << ((heading + turn) & 3))) {
          next = (heading + turn) & 3;
          break;
        }
      if (next != heading || edgesAt(x, y) == 0)
        ring.push_back({grid_.xOf(x) - grid_.resolution / 2, grid_.yOf(y) - grid_.resolution / 2});
      heading = next;
    }
    ring.push_back(ring.front());
    return ring;
  }

  const CellGrid& grid_;
  const std::vector<uint8_t>& is_set_;
  std::vector<uint8_t> edges_;  // per corner of cells: headings of the edges that start there
};

}  // namespace

std::vector<Polygon> traceOutlines(const CellGrid& grid, const std::vector<uint8_t>& is_set) {
  std::vector<Polygon> polygons;
  std::vector<Ring> holes;
  for (Ring& ring : Tracer(grid, is_set).rings()) {
    if (signedArea(ring) > 0) polygons.push_back({.outer = std::move(ring)});
    else holes.push_back(std::move(ring));
  }
  for (Ring& hole : holes) {
    // Half a cell into the hole's first edge and inwards there is a cell that is not set.
    const double reach = grid.resolution / 4;
    const Point2 &a = hole[0], &b = hole[1];
    const double dx = b[0] > a[0] ? 1 : b[0] < a[0] ? -1 : 0;
    const double dy = b[1] > a[1] ? 1 : b[1] < a[1] ? -1 : 0;
    const Point2 inner = {a[0] + reach * (dx - dy), a[1] + reach * (dy + dx)};
    Polygon* owner = nullptr;
    double smallest = std::numeric_limits<double>::infinity();
    for (Polygon& polygon : polygons)
      if (signedArea(polygon.outer) < smallest && isInside(polygon.outer, inner)) {
        owner = &polygon;
        smallest = signedArea(polygon.outer);
      }
    if (owner != nullptr) owner->holes.push_back(std::move(hole));
  }
  return polygons;
}

}  // namespace gs
