// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gs/bundle/scene_state.hpp"
#include "gs_sim/collision.hpp"
#include "gs_sim/triangle_cells.hpp"

namespace gs_sim {

// Whether the body of the vehicle touches the background or one of the things that stand or move in
// it.
class SceneCollision {
 public:
  // `meshes` by number of asset, each in its own frame; 0 is the background's and not looked at,
  // null an asset without a mesh. Triangles that are not sound are left out.
  SceneCollision(std::unique_ptr<CollisionInterface> background,
                 const std::vector<const gs::TriangleMesh*>& meshes,
                 const VehicleParameters& vehicle);

  // Every instance where it is when the exposure begins. Throws gs::Error (INPUT_INVALID) for a
  // scene that is not sound.
  bool isCollisionAt(const EgoPose& pose, const gs::SceneState& scene = gs::backgroundOnly()) const;

 private:
  std::unique_ptr<CollisionInterface> background_;
  std::vector<TriangleCells> assets_;
  CollisionBody body_;
};

}  // namespace gs_sim
