// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"

namespace gs_sim {

// A world as every component shares it: read once, never changed.
struct WorldData {
  std::filesystem::path bundle_path;
  gs::WorldBundle bundle;
  std::vector<std::string> warnings;  // of the start-up checks
};

// Reads and checks a bundle, with a warning where its metadata.json is missing. Throws gs::Error:
// BUNDLE_NOT_FOUND, FILE_MISSING or BUNDLE_INVALID.
WorldData loadWorld(const std::filesystem::path& bundle_path);

}  // namespace gs_sim
