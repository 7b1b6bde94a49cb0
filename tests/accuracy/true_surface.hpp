// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gs/core/linear.hpp"
#include "gs/core/triangle_mesh.hpp"

namespace gs {

inline Vec3 vertexOf(const TriangleMesh& mesh, uint32_t v) {
  return {mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]};
}

inline double distanceToTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, normal = ab.cross(ac);
  const double square = normal.squaredNorm();
  if (square > 1e-24) {
    const double v = ap.cross(ac).dot(normal) / square, w = ab.cross(ap).dot(normal) / square;
    if (v >= 0 && w >= 0 && v + w <= 1) return std::abs(ap.dot(normal)) / std::sqrt(square);
  }
  const auto edge = [&](const Vec3& from, const Vec3& to) {
    const Vec3 d = to - from;
    const double length = d.squaredNorm();
    const double t = length > 0 ? std::clamp((p - from).dot(d) / length, 0.0, 1.0) : 0.0;
    return (p - from - t * d).norm();
  };
  return std::min({edge(a, b), edge(b, c), edge(c, a)});
}

// Distances to a mesh, up to kReach.
class TrueSurface {
 public:
  static constexpr double kReach = 0.5;

  explicit TrueSurface(const TriangleMesh& mesh) : mesh_(mesh) {
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      Vec3 low = vertexOf(mesh, mesh.triangles[t][0]), high = low;
      for (const uint32_t v : mesh.triangles[t]) {
        low = low.cwiseMin(vertexOf(mesh, v));
        high = high.cwiseMax(vertexOf(mesh, v));
      }
      const Cell a = cellOf(low - Vec3::Constant(kReach));
      const Cell b = cellOf(high + Vec3::Constant(kReach));
      for (int64_t x = a[0]; x <= b[0]; ++x)
        for (int64_t y = a[1]; y <= b[1]; ++y)
          for (int64_t z = a[2]; z <= b[2]; ++z) cells_[keyOf({x, y, z})].push_back(t);
    }
  }

  double distanceTo(const Vec3& p) const {
    const auto found = cells_.find(keyOf(cellOf(p)));
    double best = kReach;
    if (found == cells_.end()) return best;
    for (const uint32_t t : found->second) {
      const auto& triangle = mesh_.triangles[t];
      best = std::min(
          best, distanceToTriangle(p, vertexOf(mesh_, triangle[0]), vertexOf(mesh_, triangle[1]),
                                   vertexOf(mesh_, triangle[2])));
    }
    return best;
  }

 private:
  using Cell = std::array<int64_t, 3>;  // of one metre
  static Cell cellOf(const Vec3& p) {
    return {static_cast<int64_t>(std::floor(p.x())), static_cast<int64_t>(std::floor(p.y())),
            static_cast<int64_t>(std::floor(p.z()))};
  }
  static int64_t keyOf(const Cell& c) {
    return ((c[0] + 100'000) << 40) + ((c[1] + 100'000) << 20) + c[2] + 100'000;
  }
  const TriangleMesh& mesh_;
  std::unordered_map<int64_t, std::vector<uint32_t>> cells_;
};

}  // namespace gs
