// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"

namespace gs_sim {

// What instances of a scene besides the background are made of, in a frame of its own.
struct SceneAsset {
  gs::GaussianCloud splats;              // what cameras see
  std::optional<gs::TriangleMesh> mesh;  // what rays and bodies meet
};

// A world as every component shares it: read once, never changed.
struct WorldData {
  std::filesystem::path bundle_path;
  gs::WorldBundle bundle;
  std::vector<std::string> warnings;  // of the start-up checks
  std::vector<SceneAsset> assets;     // asset n + 1 of a scene; asset 0 is the bundle's own
};

// By number of asset, as renderers, ray-casters and collision take them; null: nothing of the kind.
std::vector<const gs::GaussianCloud*> splatsByAsset(const WorldData& world);
std::vector<const gs::TriangleMesh*> meshesByAsset(const WorldData& world);

// Reads and checks a bundle, with a warning where its metadata.json is missing. Throws gs::Error:
// BUNDLE_NOT_FOUND, FILE_MISSING or BUNDLE_INVALID.
WorldData loadWorld(const std::filesystem::path& bundle_path);

}  // namespace gs_sim
