// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/trace_outlines.hpp"

#include <gmock/gmock.h>

#include "gs/bundle/polygon_geos.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/distance_field.hpp"

namespace gs {
namespace {

struct Drawing {
  CellGrid grid;
  std::vector<uint8_t> cells;
  explicit Drawing(const std::vector<std::string>& rows)
      : grid{.width = static_cast<int>(rows[0].size()), .height = static_cast<int>(rows.size())} {
    for (const std::string& row : rows)
      for (const char c : row) cells.push_back(c == '#');
  }
};

double areaOfAll(const std::vector<Polygon>& polygons) {
  double area = 0;
  for (const Polygon& polygon : polygons) {
    area += signedArea(polygon.outer);
    for (const Ring& hole : polygon.holes) area += signedArea(hole);
  }
  return area;
}

TEST(TraceOutlines, FindsOuterRingsHolesAndIslandsInHoles) {
  const Drawing drawing(
      {"#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"});
  const std::vector<Polygon> polygons = traceOutlines(drawing.grid, drawing.cells);
  ASSERT_EQ(polygons.size(), 2u);
  EXPECT_EQ(polygons[0].holes.size(), 1u);
  EXPECT_EQ(polygons[1].holes.size(), 1u);
  EXPECT_EQ(polygons[0].outer.size(), 5u);  // corners only
  EXPECT_DOUBLE_EQ(areaOfAll(polygons), 24 + 8);
}

TEST(TraceOutlines, SeparatesCellsThatShareOnlyACorner) {
  const Drawing drawing({"#.", ".#"});
  const std::vector<Polygon> polygons = traceOutlines(drawing.grid, drawing.cells);
  EXPECT_EQ(polygons.size(), 2u);
}

TEST(TraceOutlines, CoversExactlyTheCellsThatAreSet) {
  Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    Drawing drawing(std::vector<std::string>(23, std::string(31, '.')));
    double count = 0;
    for (uint8_t& cell : drawing.cells) count += cell = rng.uniform() < 0.6;
    const std::vector<Polygon> polygons = traceOutlines(drawing.grid, drawing.cells);
    EXPECT_NEAR(areaOfAll(polygons), count, 1e-9);
    const std::vector<Polygon> valid = simplifiedUnion(polygons, 0);
    EXPECT_NEAR(areaOfAll(valid), count, 1e-9);
    for (const Polygon& polygon : valid) EXPECT_EQ(invalidityOf(polygon), "");
  }
}

TEST(DistanceField, EqualsTheNearestOfAllCells) {
  Rng rng(5);
  Drawing drawing(std::vector<std::string>(19, std::string(27, '.')));
  for (uint8_t& cell : drawing.cells) cell = rng.uniform() < 0.03;
  const std::vector<float> squared = squaredDistances(drawing.grid, drawing.cells);
  for (int row = 0; row < 19; ++row)
    for (int col = 0; col < 27; ++col) {
      float best = 1e12f;
      for (int r = 0; r < 19; ++r)
        for (int c = 0; c < 27; ++c)
          if (drawing.cells[drawing.grid.index(c, r)])
            best =
                std::min(best, static_cast<float>((r - row) * (r - row) + (c - col) * (c - col)));
      EXPECT_FLOAT_EQ(squared[drawing.grid.index(col, row)], best);
    }
}

}  // namespace
}  // namespace gs
