// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/synthetic/sample_drive.hpp"

namespace gs {

// Of the true returns of a kind: how many the simulated LiDAR has too, and how near.
struct RangeAgreement {
  size_t rays = 0;      // with a true return
  size_t returned = 0;  // of them, also in the simulation
  size_t within_5cm = 0, within_10cm = 0;
};

struct LidarAgreement {
  RangeAgreement ground_by_heightmap;  // true returns from the ground, heightmap alone
  RangeAgreement all_by_mesh;          // all of them, heightmap and mesh
};

// The simulated LiDAR in a world built from the drive against the true scan from the same poses,
// ray by ray: no noise, no motion, nothing that moves. Poses are spread over the drive.
LidarAgreement compareLidar(const SampleDriveTruth& truth, const Heightmap& ground,
                            const TriangleMesh& mesh, int poses);

}  // namespace gs
