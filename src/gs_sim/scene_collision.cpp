// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/scene_collision.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gs_sim {
namespace {

std::vector<TriangleCells::Triangle> soundTrianglesOf(const gs::TriangleMesh& mesh) {
  std::vector<TriangleCells::Triangle> triangles;
  for (const auto& corners : mesh.triangles) {
    if (std::any_of(corners.begin(), corners.end(),
                    [&](uint32_t v) { return v >= mesh.positions.size(); }))
      continue;
    TriangleCells::Triangle triangle;
    bool is_finite = true;
    for (size_t i = 0; i < 3; ++i) {
      triangle[i] = mesh.positions[corners[i]];
      for (const float value : triangle[i]) is_finite &= std::isfinite(value);
    }
    if (is_finite) triangles.push_back(triangle);
  }
  return triangles;
}

}  // namespace

SceneCollision::SceneCollision(std::unique_ptr<CollisionInterface> background,
                               const std::vector<const gs::TriangleMesh*>& meshes,
                               const VehicleParameters& vehicle)
    : background_(std::move(background)),
      assets_(std::max<size_t>(1, meshes.size())),
      body_(vehicle) {
  for (size_t asset = 1; asset < meshes.size(); ++asset)
    if (meshes[asset]) assets_[asset] = TriangleCells(soundTrianglesOf(*meshes[asset]));
}

bool SceneCollision::isCollisionAt(const EgoPose& pose, const gs::SceneState& scene) const {
  gs::requireScene(scene, assets_.size(), "collision");
  if (background_->isCollisionAt(pose)) return true;
  const gs::Rigid3 map_from_base = mapFromBase(pose);
  return std::any_of(scene.instances.begin() + 1, scene.instances.end(),
                     [&](const gs::SceneInstance& instance) {
                       return assets_[instance.asset].isTouchedBy(
                           body_, instance.map_from_asset.begin.inverse() * map_from_base);
                     });
}

}  // namespace gs_sim
