// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/pose_interval.hpp"

namespace gs {

// One thing of a scene: an asset (splats, a mesh) at its place.
struct SceneInstance {
  uint32_t asset = 0;  // number in the list of assets that renderer and ray-caster were made from
  // What sees a scene may take every thing where it is when the exposure begins; all that exist
  // today do.
  PoseInterval map_from_asset;
};

// What stands where at one instant. Instance 0 is the background: asset 0, the world as it was
// built, where the map has it. Nothing else is made of asset 0.
struct SceneState {
  std::vector<SceneInstance> instances = {SceneInstance{}};

  bool isBackgroundOnly() const { return instances.size() == 1; }
};

// A world in which nothing moves.
const SceneState& backgroundOnly();

// Throws gs::Error (INPUT_INVALID), naming the instance: instance 0 that is not the background, an
// asset that does not exist, a pose that is not finite or not a rotation.
void requireScene(const SceneState& scene, size_t asset_count, const std::string& component);

}  // namespace gs
