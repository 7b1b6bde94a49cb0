// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gs/core/linear.hpp"
#include "gs/synthetic/thing.hpp"

namespace gs {

// How a surface looks; the numbers of a material mean what its kind's texture says (shading.cpp).
enum class Texture : uint8_t {
  Plain,
  Road,    // uv = (s, offset): asphalt with lane marks
  Kerb,    // uv = (s, -): stones with joints
  Paving,  // uv = (s, offset): slabs
  Grass,
  Brick,  // uv in metres along and up the wall
  Plaster,
  Pane,       // uv = 0..1 over the window: frame and glass
  Shop,       // uv in metres: shop window
  FarFacade,  // uv in metres: a house too far away for real windows
  Roof,       // uv in metres: rows of tiles
  Leaf,
  Bark,
  CarPaint,
  CarGlass,
  Sign,
  Plate  // u = 0 in the middle, 1 at the rim
};

struct Material {
  Texture texture = Texture::Plain;
  Vec3f color = Vec3f(0.5f, 0.5f, 0.5f);   // linear albedo
  Vec3f second = Vec3f(0.5f, 0.5f, 0.5f);  // mortar, frame, ...
  float gloss = 0;                         // share of the mirror image at normal incidence
  float reflectivity = 0.3f;               // seen by the LiDAR, head-on
  std::array<float, 2> sunny{};            // of roads: from and to this s the sun is too hard
  std::array<float, 2> wet{};              // of roads: from and to this s the outer lane is wet
};

// Triangles with what shading needs. Sides face counter-clockwise.
struct Surface {
  struct Vertex {
    Vec3f position, normal;
    std::array<float, 2> uv;
  };
  struct Triangle {
    std::array<uint32_t, 3> corners;
    uint16_t material;
    uint16_t variation;  // any number, the same for triangles that belong together
    Vec3f tangent;       // unit, along growing u
    Vec3f normal;        // of the plane
    std::array<float, 2> uv_per_metre;
    Thing thing = Thing::Still;
  };
  std::vector<Vertex> vertices;
  std::vector<Triangle> triangles;
};

}  // namespace gs
