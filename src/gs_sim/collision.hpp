// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// Whether the body of the vehicle (VehicleParameters::Body, from bumper height to roof) touches the
// world at a pose. What is lower than the bumper is driven over.
class CollisionInterface {
 public:
  virtual ~CollisionInterface() = default;
  virtual bool isCollisionAt(const EgoPose& pose) const = 0;
};

// Against the triangles of the static mesh. The ground tells which of them are road.
std::unique_ptr<CollisionInterface> createMeshCollision(const gs::TriangleMesh& mesh,
                                                        const gs::Heightmap& ground,
                                                        const VehicleParameters& vehicle);

// Against steps of the ground: samples below the body that stand higher than the bumper. `ground`
// must outlive the result.
std::unique_ptr<CollisionInterface> createStepCollision(std::shared_ptr<const gs::Heightmap> ground,
                                                        const VehicleParameters& vehicle);

}  // namespace gs_sim
