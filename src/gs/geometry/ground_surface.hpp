// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/map_cloud.hpp"

namespace gs {

struct MapExtent {
  double x_min, x_max, y_min, y_max;  // m, map frame
};

struct GroundOptions {
  double resolution = 0.1;
  std::optional<MapExtent> extent;  // absent: the trajectory plus `margin`
  double margin = 20;
  int median_kernel = 5;           // cells, odd; 1: none
  double outlier_threshold = 0.5;  // m; a cell farther from its neighbours' median is dropped
  double max_step = 0.25;          // m; kerbs are lower than this, and anything higher no ground
  double max_slope = 0.35;         // rise over run
  double max_hole = 4.0;           // m; wider holes (in their narrower direction) stay NaN
};

constexpr size_t kMaxHeightmapCells = size_t{1} << 28;  // 1 GiB of floats, 1.6 km square at 0.1 m

struct GroundSurface {
  Heightmap heights;             // NaN where no ground is known
  std::vector<uint8_t> is_seen;  // per cell: 1 measured, 0 bridged or unknown
  size_t seen_cells = 0, bridged_cells = 0;
};

// The ground the ego drives on: grown outwards from the trajectory over what is connected and
// neither too high a step nor too steep, so that roofs, tree crowns, parked cars and stray points
// below the road do not belong to it while kerbs do. Holes up to max_hole are bridged smoothly.
// `map_from_base`: poses of the drive, base_link being near the ground (within a metre).
// Throws gs::Error: HEIGHTMAP_INVALID when no ground is found along the trajectory, or the extent
// is empty or has more than kMaxHeightmapCells; POINTCLOUD_EMPTY; INPUT_INVALID (poses);
// CONFIG_INVALID (options).
GroundSurface buildGroundSurface(const MapCloud& cloud, const std::vector<Rigid3>& map_from_base,
                                 const GroundOptions& options);

// A mesh as points, about `spacing` metres apart, for `heightmap.method: mesh_rasterization`.
MapCloud sampleMesh(const TriangleMesh& mesh, double spacing);

}  // namespace gs
