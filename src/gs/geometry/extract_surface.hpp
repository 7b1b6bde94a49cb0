// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {

// Samples of a signed distance in one brick, by local number; where `known` is not set there is
// no surface.
struct FieldBrick {
  std::array<float, kBrickVoxels> distance;  // m, positive outside
  VoxelSet::Mask known;
};

// Where a signed distance is zero, as triangles; `adaptivity` 0..1 thins out flat parts. Bricks
// come in runs, so that not all need be in memory twice: `fill` is called once for each run, in
// their order. Positions are in metres from the samples' origin. extract_surface.cpp is the only
// file that names OpenVDB.
TriangleMesh extractSurface(const std::vector<std::vector<uint64_t>>& runs, float voxel_size,
                            double adaptivity,
                            const std::function<void(size_t run, std::span<FieldBrick> out)>& fill);

}  // namespace gs
