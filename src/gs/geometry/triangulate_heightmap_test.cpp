// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/triangulate_heightmap.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

Heightmap mapOf(int width, int height, const auto& z) {
  Heightmap map{.origin_x = 3, .origin_y = -7, .resolution = 0.5, .width = width, .height = height};
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) map.samples.push_back(static_cast<float>(z(col, row)));
  return map;
}

struct Deviation {
  double max = 0;
  size_t covered = 0;
  bool is_counter_clockwise = true;
};

// At every sample inside or on a triangle (in whole cells, so exactly): surface minus sample.
Deviation deviationOf(const HeightmapTriangles& surface, const Heightmap& map) {
  Deviation deviation;
  std::vector<uint8_t> is_covered(map.samples.size());
  const auto cell = [&](uint32_t v, int axis) {
    const double low = axis == 0 ? map.origin_x : map.origin_y;
    return std::lround(
        (static_cast<double>(surface.positions[v][axis]) + surface.origin[axis] - low) /
        map.resolution);
  };
  for (const auto& t : surface.triangles) {
    const long ax = cell(t[0], 0), ay = cell(t[0], 1), bx = cell(t[1], 0), by = cell(t[1], 1),
               cx = cell(t[2], 0), cy = cell(t[2], 1);
    const long area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    deviation.is_counter_clockwise &= area > 0;
    for (long y = std::min({ay, by, cy}); y <= std::max({ay, by, cy}); ++y)
      for (long x = std::min({ax, bx, cx}); x <= std::max({ax, bx, cx}); ++x) {
        const long b = (x - ax) * (cy - ay) - (y - ay) * (cx - ax);
        const long c = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        if (b < 0 || c < 0 || b + c > area) continue;
        const double wb = static_cast<double>(b) / static_cast<double>(area);
        const double wc = static_cast<double>(c) / static_cast<double>(area);
        const double z = surface.positions[t[0]][2] * (1 - wb - wc) +
                         surface.positions[t[1]][2] * wb + surface.positions[t[2]][2] * wc;
        const float sample = map.at(static_cast<int>(x), static_cast<int>(y));
        deviation.max = std::max(deviation.max, std::abs(z - sample));
        is_covered[static_cast<size_t>(y) * map.width + x] = 1;
      }
  }
  for (const uint8_t covered : is_covered) deviation.covered += covered;
  return deviation;
}

double areaOf(const HeightmapTriangles& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles) {
    const auto &a = surface.positions[t[0]], &b = surface.positions[t[1]],
               &c = surface.positions[t[2]];
    sum += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
  }
  return sum;
}

TEST(TriangulateHeightmap, MakesFewTrianglesOfAPlane) {
  const auto surface =
      triangulate(mapOf(513, 257, [](int x, int y) { return 0.25 * x - 0.5 * y; }));
  EXPECT_EQ(surface.triangles.size(), 4u);  // two blocks, halved
}

TEST(TriangulateHeightmap, KeepsItsToleranceAtEverySample) {
  Rng rng(1);
  const Heightmap map = mapOf(300, 301, [&](int x, int y) {
    return std::sin(0.05 * x) + (y > 150 ? 0.15 : 0.0) + 0.004 * rng.normal();
  });
  for (const double tolerance : {0.0, 0.005, 0.05}) {
    const auto surface = triangulate(map, {.tolerance = tolerance});
    const Deviation deviation = deviationOf(surface, map);
    // Errors of halvings add up along a chain of them: the sum stays below three tolerances.
    EXPECT_LE(deviation.max, 3 * tolerance + 1e-6);
    EXPECT_EQ(deviation.covered, map.samples.size());
    EXPECT_TRUE(deviation.is_counter_clockwise);
    EXPECT_NEAR(areaOf(surface), 299 * 300 * 0.25, 0.01) << "no cracks, nothing twice";
  }
}

TEST(TriangulateHeightmap, LeavesHolesOpen) {
  const auto is_hole = [](int x, int y) { return x >= 10 && x < 20 && y >= 10 && y < 30; };
  const Heightmap map =
      mapOf(64, 64, [&](int x, int y) { return is_hole(x, y) ? std::nan("") : 1.0; });
  const auto surface = triangulate(map);
  const Deviation deviation = deviationOf(surface, map);
  EXPECT_EQ(deviation.max, 0) << "NaN would stand out";
  EXPECT_EQ(deviation.covered, 64u * 64 - 10 * 20);
}

TEST(TriangulateHeightmap, GivesWayWhenThereAreTooManyTriangles) {
  Rng rng(1);
  const Heightmap map = mapOf(200, 200, [&](int, int) { return 0.05 * rng.normal(); });
  const auto surface = triangulate(map, {.tolerance = 0.001, .max_triangles = 3000});
  EXPECT_LE(surface.triangles.size(), 3000u);
  EXPECT_GT(surface.tolerance, 0.01);
}

TEST(TriangulateHeightmap, HasNothingToSayAboutALineOrAHole) {
  EXPECT_TRUE(triangulate(mapOf(1, 50, [](int, int) { return 0.0; })).triangles.empty());
  EXPECT_TRUE(triangulate(Heightmap{}).triangles.empty());
  EXPECT_TRUE(triangulate(mapOf(9, 9, [](int, int) { return std::nan(""); })).triangles.empty());
}

TEST(TriangulateHeightmap, GivesTheSameForAnyNumberOfThreads) {
  Rng rng(1);
  const Heightmap map = mapOf(300, 200, [&](int, int) { return 0.01 * rng.normal(); });
  setThreadCount(1);
  const auto one = triangulate(map);
  setThreadCount(8);
  const auto eight = triangulate(map);
  setThreadCount(0);
  EXPECT_EQ(one.positions, eight.positions);
  EXPECT_EQ(one.triangles, eight.triangles);
}

}  // namespace
}  // namespace gs
