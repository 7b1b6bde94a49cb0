// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/drivable_area.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

Ring box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
}

Ring reversed(Ring ring) { return {ring.rbegin(), ring.rend()}; }

DrivableArea roadWithAnIsland() {
  return {.features = {
              {.polygons = {{.outer = box(0, 0, 10, 10), .holes = {reversed(box(4, 4, 6, 6))}}}}}};
}

TEST(DrivableArea, IsInsideTheOuterRingAndOutsideTheHoles) {
  const DrivableArea area = roadWithAnIsland();
  EXPECT_TRUE(isDrivable(area, 1, 1));
  EXPECT_FALSE(isDrivable(area, 5, 5));
  EXPECT_FALSE(isDrivable(area, -1, 5));
  EXPECT_FALSE(isDrivable(area, 11, 5));
  EXPECT_FALSE(isDrivable(area, 5, 11));
  EXPECT_FALSE(isDrivable(DrivableArea{}, 0, 0));
}

TEST(DrivableArea, CountsEdgesAndVerticesAsInside) {
  const DrivableArea area = roadWithAnIsland();
  for (const Point2& p : std::vector<Point2>{
           {0, 0}, {10, 10}, {0, 5}, {10, 5}, {5, 0}, {5, 10}, {4, 4}, {6, 6}, {4, 5}, {5, 6}})
    EXPECT_TRUE(isDrivable(area, p[0], p[1])) << p[0] << " " << p[1];
}

TEST(DrivableArea, IsNotFooledByRaysThroughVertices) {
  const Ring diamond = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const DrivableArea area{.features = {{.polygons = {{.outer = diamond}}}}};
  EXPECT_TRUE(isDrivable(area, 0, 0));
  EXPECT_FALSE(isDrivable(area, -2, 0));
  EXPECT_FALSE(isDrivable(area, -2, 1));
  EXPECT_FALSE(isDrivable(area, -2, -1));
  EXPECT_TRUE(isDrivable(area, 0.5, 0.5));  // exactly on a slanted edge
}

TEST(DrivableArea, TakesTheSmallestPriorityThenTheFirst) {
  DrivableArea area;
  for (const int priority : {5, 1, 1, 3})
    area.features.push_back({.polygons = {{.outer = box(0, 0, 1, 1)}}, .priority = priority});
  EXPECT_EQ(findFeatureAt(area, 0.5, 0.5), 1u);
  EXPECT_EQ(findFeatureAt(area, 2, 2), std::nullopt);
}

TEST(DrivableArea, ANaNIsOffTheRoad) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const DrivableArea area = roadWithAnIsland();
  EXPECT_FALSE(isDrivable(area, kNaN, 1));
  EXPECT_FALSE(isDrivable(area, 1, kNaN));
  EXPECT_FALSE(isDrivable(area, kInf, 1));
  EXPECT_FALSE(isDrivable(area, -kInf, 1));
  EXPECT_FALSE(isDrivable(area, 1, -kInf));
}

TEST(DrivableArea, NeighboursThatShareAnEdgeLeaveNoGap) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const Point2 a{rng.normal(), rng.normal() - 5}, b{rng.normal(), rng.normal() + 5};
    const DrivableArea area{.features = {{.polygons = {{.outer = {a, {20, 0}, b, a}}}},
                                         {.polygons = {{.outer = {a, b, {-20, 0}, a}}}}}};
    for (int i = 0; i < 50; ++i) {
      const double t = rng.uniform();
      EXPECT_TRUE(isDrivable(area, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])));
    }
  }
}

TEST(DrivableArea, SignOfTheAreaTellsTheDirection) {
  EXPECT_EQ(signedArea(box(1e6, 1e6, 1e6 + 2, 1e6 + 3)), 6);
  EXPECT_EQ(signedArea(reversed(box(0, 0, 2, 3))), -6);
  EXPECT_EQ(signedArea({}), 0);
}

TEST(DrivableArea, CountsOverlapsOnceAndHolesNot) {
  DrivableArea area = roadWithAnIsland();
  EXPECT_DOUBLE_EQ(areaOf(area), 96);
  area.features.push_back({.polygons = {{.outer = box(5, 0, 15, 10)}}});
  EXPECT_DOUBLE_EQ(areaOf(area), 148);
  EXPECT_EQ(areaOf(DrivableArea{}), 0);
}

TEST(DrivableArea, IsCutToARectangleToTheLastBit) {
  // A disc of corners that hangs over the left edge and one that lies outside; a third of a metre
  // is no number of ours.
  DrivableArea area;
  Ring disc;
  for (int i = 0; i <= 40; ++i)
    disc.push_back({5 * std::cos(i % 40 * M_PI / 20), 5 * std::sin(i % 40 * M_PI / 20)});
  area.features = {{.polygons = {{.outer = disc}}, .priority = 3, .speed_limit = 30},
                   {.polygons = {{.outer = box(-20, -20, -18, -18)}}}};
  const Point2 lowest{-1.0 / 3, -4.9}, highest{10, 1.1};
  const DrivableArea inside = partInside(area, lowest, highest);
  ASSERT_EQ(inside.features.size(), 1u);
  EXPECT_EQ(inside.features[0].priority, 3);
  EXPECT_EQ(inside.features[0].speed_limit, 30);
  for (const Point2& point : inside.features[0].polygons.at(0).outer)
    for (size_t k = 0; k < 2; ++k) {
      EXPECT_GE(point[k], lowest[k]);
      EXPECT_LE(point[k], highest[k]);
    }
  EXPECT_TRUE(isDrivable(inside, 4, 0));
  EXPECT_FALSE(isDrivable(inside, -2, 0));
  EXPECT_EQ(invalidityOf(inside.features[0].polygons[0]), "");
  EXPECT_NEAR(areaOf(partInside(inside, lowest, highest)), areaOf(inside), 1e-9);
}

TEST(DrivableArea, SaysWhyAPolygonIsInvalid) {
  EXPECT_EQ(invalidityOf(roadWithAnIsland().features[0].polygons[0]), "");
  const Polygon bow_tie{.outer = {{0, 0}, {2, 2}, {2, 0}, {0, 2}, {0, 0}}};
  EXPECT_THAT(invalidityOf(bow_tie), ::testing::HasSubstr("Self-intersection"));
  const Polygon stray{.outer = box(0, 0, 1, 1), .holes = {reversed(box(5, 5, 6, 6))}};
  EXPECT_THAT(invalidityOf(stray), ::testing::HasSubstr("Hole lies outside shell"));
  EXPECT_NE(invalidityOf({.outer = {{0, 0}, {1, 1}}}), "");
  EXPECT_NE(invalidityOf({}), "");
  EXPECT_DOUBLE_EQ(areaOf({.features = {{.polygons = {bow_tie}}}}), 2);
}

}  // namespace
}  // namespace gs
