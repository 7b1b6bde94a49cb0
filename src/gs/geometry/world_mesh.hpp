// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/map_cloud.hpp"
#include "gs/geometry/static_mesh.hpp"
#include "gs/geometry/swept_way.hpp"

namespace gs {

struct WorldMeshOptions {
  double voxel_size = 0.1;  // of the finest level
  int levels = 4;           // each with twice the voxels of the one before
  double tolerance = 0.02;  // m that simplification may move a surface; 0: not simplified
  // Of surfaces; more, and the tolerance grows until they are fewer. Plates come on top.
  size_t max_triangles = 150'000;
  size_t max_plates = 20'000;
  // One level's surface: buildTsdfMesh or buildPoissonMesh.
  std::function<TriangleMesh(const MapCloud&, const MeshOptions&)> build = buildTsdfMesh;
  std::function<void(double)> progress;  // gets 0..1 from time to time
};

struct WorldMeshCounts {
  size_t extracted = 0;               // triangles of all levels
  size_t in_own_way = 0, ground = 0;  // left out: where the ego drove, what the ground map has
  size_t seen_through = 0;            // left out: recorded rays passed
  size_t simplified = 0;              // triangles of surfaces that remain
  double tolerance = 0;               // m, of simplification
  size_t plates = 0;                  // added for what is too thin for a surface
};

// The mesh that a world carries for LiDAR and collisions: surfaces as fine as the points allow,
// nothing in the ego's own way, nothing that rays flew through, small plates for thin things, and
// few triangles. The ground is left to the ground map wherever that knows it. Without normals:
// they are those of the triangles.
TriangleMesh buildWorldMesh(const MapCloud& cloud, const Heightmap& ground, const ScanSource& scans,
                            const MovingRegions& moving, const std::vector<Rigid3>& path,
                            const SweptWay& own_way, const WorldMeshOptions& options,
                            WorldMeshCounts* counts = nullptr);

}  // namespace gs
