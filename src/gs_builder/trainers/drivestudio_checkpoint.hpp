// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/image.hpp"
#include "gs/core/rigid3.hpp"

namespace gs_builder {

// What a foreign trainer made, in the map frame.
struct ForeignResult {
  gs::GaussianCloud cloud;
  gs::Image8 sky;      // equirectangular; empty without one
  int iteration = 0;   // 0: not known
  size_t dropped = 0;  // splats that were not numbers
};

// A checkpoint of DriveStudio: its Background model and, where it has one, its sky (a cube map).
// `map_from_world` is the pose of its world, that of camera 0 at the first time step, in the map;
// positions, rotations and view-dependent colour are carried there. Throws INPUT_INVALID.
ForeignResult readDriveStudioCheckpoint(const std::filesystem::path& file,
                                        const gs::Rigid3& map_from_world);

}  // namespace gs_builder
