// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs/bundle/calibration.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {

// The layout that DriveStudio's nuScenes loader reads, into `folder`: one time step per frame in
// which every camera fired, images/{t:03}_{cam}.jpg, extrinsics, intrinsics, the nearest scan as
// lidar/{t:03}.bin in the sensor's frame, and masks that mask nothing. `ingest` is 00_mcap_ingest.
void writeDriveStudioDataset(const std::filesystem::path& ingest,
                             const std::filesystem::path& folder, const Frameset& frameset,
                             const gs::Calibration& calibration, const EgoTrajectory& trajectory);

}  // namespace gs_builder
