// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs_sim/ground_contact.hpp"

namespace gs_sim {

// The heightmap and every triangle of the mesh that is flat enough to stand on (60 degrees), so
// that a place may have several heights: a bridge and the road below it. Which of them counts is
// the level's say. Triangles that are not finite or name vertices that do not exist are left out.
std::unique_ptr<GroundContactInterface> createMeshGroundContact(
    const gs::TriangleMesh& mesh, std::shared_ptr<const gs::Heightmap> heightmap);

}  // namespace gs_sim
