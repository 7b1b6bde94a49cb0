// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gs {

// Triangles in the map frame. `normals` and `colors` are per vertex and may be empty.
struct TriangleMesh {
  std::vector<std::array<float, 3>> positions;     // m
  std::vector<std::array<float, 3>> normals;       // unit length
  std::vector<std::array<uint8_t, 4>> colors;      // RGBA
  std::vector<std::array<uint32_t, 3>> triangles;  // counter-clockwise seen from outside

  bool operator==(const TriangleMesh&) const = default;
};

}  // namespace gs
