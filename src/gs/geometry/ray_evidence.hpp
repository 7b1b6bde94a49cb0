// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/posed_scan.hpp"

namespace gs {

// What the recorded rays say about a mesh: each flew freely until its return, and met something
// there. The ground counts as a surface of its own.
struct RayEvidenceOptions {
  size_t rays_per_scan = 40'000;  // taken evenly; of every scan, since each place is in few of them
  double min_range = 1.5;         // m; nearer is the ego's own body
  double max_range = 80;
  double tolerance = 0.3;  // m along the ray: so close is the same surface
};

// Removes the triangles from number `first` on that about as many rays pass through as end at,
// judged in cells of `cell` metres, a few times over. Returns how many went.
size_t removeSeenThrough(TriangleMesh& mesh, const Heightmap& ground, const ScanSource& scans,
                         size_t first, double cell, const RayEvidenceOptions& options);

// Small plates where rays ended but the mesh has nothing: posts, wires, twigs and what else is too
// thin or too sparse for a surface. Each faces the sensor and is as large as the returns of its
// place are spread; places with the most returns come first, at most `max_plates`. Returns on
// `moving` things get none.
TriangleMesh platesForUnmet(const TriangleMesh& mesh, const Heightmap& ground,
                            const ScanSource& scans, const MovingRegions& moving, size_t max_plates,
                            const RayEvidenceOptions& options);

}  // namespace gs
