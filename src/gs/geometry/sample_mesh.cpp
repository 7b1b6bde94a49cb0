// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gs/core/error.hpp"
#include "gs/geometry/ground_surface.hpp"

namespace gs {

MapCloud sampleMesh(const TriangleMesh& mesh, double spacing) {
  constexpr double kMaxSamples = 2e8;
  const auto fail = [](const char* message) {
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "geometry_builder",
                 .message = message,
                 .suggestion = "Choose a larger heightmap.resolution."});
  };
  if (!(spacing > 0)) fail("a mesh is sampled with a spacing greater than 0");
  MapCloud cloud{.voxel_size = spacing};
  const auto vertex = [&](uint32_t v) {
    return Vec3(mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]);
  };
  if (!mesh.positions.empty()) {
    const Vec3 first = vertex(0);
    cloud.origin = {std::round(first.x()), std::round(first.y()), std::round(first.z())};
  }
  double total = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = vertex(t[0]), ab = vertex(t[1]) - a, ac = vertex(t[2]) - a;
    const Vec3 cross = ab.cross(ac);
    const double area = cross.norm() / 2;
    if (!(area > 0)) continue;
    // Steps along both edges, so that neighbours are no farther apart than asked for.
    const double along_b = std::ceil(ab.norm() / spacing), along_c = std::ceil(ac.norm() / spacing);
    total += along_b * along_c;
    if (!(total < kMaxSamples)) fail("the mesh has too much surface for this spacing");
    const Vec3f normal = (cross / (2 * area)).cast<float>();
    for (double u = 0.5; u < along_b; ++u)
      for (double v = 0.5; v < along_c; ++v) {
        const double b = u / along_b, c = v / along_c;
        if (b + c > 1) break;
        cloud.positions.push_back((a + b * ab + c * ac - cloud.origin).cast<float>());
        cloud.normals.push_back(normal);
      }
  }
  cloud.spacing.assign(cloud.size(), static_cast<float>(spacing));
  cloud.reflectivity.assign(cloud.size(), 0.0f);
  cloud.hits.assign(cloud.size(), 10);
  cloud.nearest_range.assign(cloud.size(), 5.0f);
  return cloud;
}

}  // namespace gs
