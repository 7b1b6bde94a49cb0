// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/map_cloud.hpp"

namespace gs {

struct MeshOptions {
  double voxel_size = 0.05;
  double adaptivity = 0.1;              // 0..1: how much flat parts are thinned out; 0: not at all
  size_t max_voxels = 200'000'000;      // of the distance field; more: CONFIG_INVALID
  size_t min_component_triangles = 64;  // smaller crumbs are left out
};

// Surfaces from the map's oriented points; vertices in the map frame, with normals, and coloured
// when the cloud is: alpha is then the reflectivity that the LiDAR measured (0 .. 254), which
// viewers of opaque meshes ignore and the simulated LiDAR reads. Both leave open what was not seen.
// tsdf: a truncated signed distance fused from the points' tangent planes; follows the data.
// poisson: the function whose gradient fits the normals best, screened by the points; smoother,
//   and closes gaps of a few voxels.
// An empty mesh when no point has a normal. Throws gs::Error: CONFIG_INVALID.
TriangleMesh buildTsdfMesh(const MapCloud& cloud, const MeshOptions& options);
TriangleMesh buildPoissonMesh(const MapCloud& cloud, const MeshOptions& options);

// Crumbs hang in the air where noise or leaves were; a surface is connected. Vertices stay.
void dropSmallComponents(TriangleMesh& mesh, size_t min_triangles);

// Gives each vertex (map frame) the colour and reflectivity of the nearest point, as above.
void addColors(TriangleMesh& mesh, const MapCloud& cloud);

}  // namespace gs
