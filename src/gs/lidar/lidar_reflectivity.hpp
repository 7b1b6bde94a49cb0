// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"

namespace gs {

// Per vertex, 0 .. 1: the alpha of its colour, where the builder stores what the LiDAR measured.
// Empty when the mesh has no colours, or all are opaque as those of other tools.
std::vector<float> meshReflectivity(const TriangleMesh& mesh);

// How strongly surfaces answer a LiDAR, as far as the world knows.
class SurfaceReflectivity {
 public:
  SurfaceReflectivity() = default;  // nothing is known
  // The ground has no reflectivity of its own: it takes that of the mesh lying on it, in squares of
  // half a metre.
  SurfaceReflectivity(const TriangleMesh& mesh, const Heightmap* ground);

  std::optional<float> ofMesh(uint32_t triangle, float u, float v) const;
  std::optional<float> ofGround(double x, double y) const;  // map frame
  float usual() const;                                      // of the mesh; 0 when nothing is known

 private:
  struct Mean {
    float sum = 0, count = 0;
  };
  std::vector<float> vertices_;  // 0 .. 1
  std::vector<std::array<uint32_t, 3>> triangles_;
  std::unordered_map<uint64_t, Mean> squares_;
};

}  // namespace gs
