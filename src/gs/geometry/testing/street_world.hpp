// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/triangle_mesh.hpp"

// A street as large as those that are measured, for benchmarks of rays.
namespace gs {

// 205 m of rolling ground with kerbs and the roughness that a measured one has.
inline Heightmap makeStreetGround() {
  Heightmap map{
      .origin_x = -102.4, .origin_y = -102.4, .resolution = 0.1, .width = 2048, .height = 2048};
  Rng rng(1);
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col) {
      const double x = map.origin_x + 0.1 * col, y = map.origin_y + 0.1 * row;
      const double kerb = std::abs(y) > 5 ? 0.12 : 0.0;
      map.samples.push_back(static_cast<float>(0.5 * std::sin(0.05 * x) + 0.3 * std::cos(0.07 * y) +
                                               kerb + 0.002 * rng.normal()));
    }
  return map;
}

// A million triangles: facades of 10 cm triangles on both sides of a street, with gaps, and what
// stands before and behind them.
inline TriangleMesh makeStreetMesh() {
  TriangleMesh mesh;
  Rng rng(2);
  const auto panel = [&](double x, double y, double dx, double dy, int across, int up) {
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    for (int v = 0; v <= up; ++v)
      for (int u = 0; u <= across; ++u)
        mesh.positions.push_back({static_cast<float>(x + dx * u + 0.01 * rng.normal()),
                                  static_cast<float>(y + dy * u + 0.01 * rng.normal()),
                                  static_cast<float>(-1 + 0.1 * v + 0.01 * rng.normal())});
    for (int v = 0; v < up; ++v)
      for (int u = 0; u < across; ++u) {
        const uint32_t a = first + static_cast<uint32_t>(v * (across + 1) + u);
        const auto row = static_cast<uint32_t>(across + 1);
        mesh.triangles.push_back({a, a + 1, a + row});
        mesh.triangles.push_back({a + 1, a + row + 1, a + row});
      }
  };
  for (int i = 0; i < 12; ++i) {  // houses of 15 m with gaps of 2 m
    panel(-102 + 17 * i, 12, 0.1, 0, 150, 100);
    panel(-102 + 17 * i, -12, 0.1, 0, 150, 100);
  }
  for (int i = 0; i < 20; ++i) {  // parked cars, signs
    panel(-95 + 10 * i, 8, 0.1, 0.05, 20, 40);
    panel(-95 + 10 * i, -8, 0.05, 0.1, 20, 40);
  }
  while (mesh.triangles.size() < 1'000'000) {
    const double side = rng.uniform() < 0.5 ? -1 : 1;
    panel(rng.uniform(-100, 100), side * rng.uniform(13, 100), 0.1, 0.1 * side, 40, 100);
  }
  return mesh;
}

}  // namespace gs
