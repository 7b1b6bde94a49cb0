// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/drivable_lookup.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_sim {
namespace {

gs::Ring rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
}

// A star with coordinates on a coarse grid, so that points on edges and corners are common.
gs::Ring star(gs::Rng& rng, double cx, double cy, int points) {
  gs::Ring ring;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * M_PI * i / points, r = rng.uniform(4, 20);
    ring.push_back({cx + std::round(r * std::cos(angle)), cy + std::round(r * std::sin(angle))});
  }
  ring.push_back(ring.front());
  return ring;
}

TEST(DrivableLookup, AgreesWithTheDefinitionEverywhere) {
  gs::Rng rng(3);
  for (int world = 0; world < 30; ++world) {
    gs::DrivableArea area;
    for (int i = 0; i < 3; ++i)
      area.features.push_back({.polygons = {{star(rng, rng.uniform(-9, 9), 0, 5 + 60 * i),
                                             {rectangle(-2, -2, 1, 1), rectangle(2, 2, 4, 3)}}},
                               .priority = static_cast<int>(rng.below(2))});
    const DrivableLookup lookup(area);
    for (double x = -25; x <= 25; x += 0.5)
      for (double y = -25; y <= 25; y += 0.5)
        ASSERT_EQ(lookup.findFeatureAt(x, y), gs::findFeatureAt(area, x, y)) << x << " " << y;
  }
}

TEST(DrivableLookup, TheSmallerPriorityWins) {
  const gs::DrivableArea area{{{.polygons = {{rectangle(0, 0, 10, 10), {}}}, .priority = 5},
                               {.polygons = {{rectangle(4, 4, 6, 6), {}}}, .priority = 1}}};
  EXPECT_EQ(DrivableLookup(area).findFeatureAt(5, 5), 1u);
  EXPECT_EQ(DrivableLookup(area).findFeatureAt(1, 1), 0u);
}

TEST(DrivableLookup, InAHoleIsOffTheRoad) {
  const gs::DrivableArea area{{{.polygons = {{rectangle(0, 0, 10, 10), {rectangle(4, 4, 6, 6)}}}}}};
  EXPECT_FALSE(DrivableLookup(area).findFeatureAt(5, 5));
  EXPECT_TRUE(DrivableLookup(area).findFeatureAt(4, 5));  // on its edge
}

TEST(DrivableLookup, AnEmptyAreaHasNoRoadAnywhere) {
  EXPECT_FALSE(DrivableLookup({}).findFeatureAt(0, 0));
}

TEST(DrivableLookup, NaNIsNotOnTheRoad) {
  const gs::DrivableArea area{{{.polygons = {{rectangle(0, 0, 10, 10), {}}}}}};
  EXPECT_FALSE(DrivableLookup(area).findFeatureAt(std::numeric_limits<double>::quiet_NaN(), 1));
}

}  // namespace
}  // namespace gs_sim
