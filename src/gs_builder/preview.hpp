// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/image.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/timeline.hpp"

// Pictures for people: what was built, at a glance.
namespace gs_builder {

// The world from above, `size` pixels on its longer side: splats in their colour at the left, the
// ground in colours of its height at the right, both with drivable area and trajectory, and a
// scale.
gs::Image8 drawWorldPreview(const gs::WorldBundle& bundle, const EgoTrajectory& trajectory,
                            int size);

// `count` images of a camera, evenly over the drive, side by side.
gs::Image8 drawCameraStrip(const std::filesystem::path& ingest, const Frameset& frameset,
                           const std::string& camera, int count);

}  // namespace gs_builder
