// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs/train/training_set.hpp"

namespace gs_builder {

struct TrainingFrameOptions {
  int held_out_every = 8;  // images of each camera; 0: none
  bool masks_moving = true;
};

// The drive of a workspace (ingest, calibration and geometry are done) as the trainer sees it.
// Depth comes from the scan nearest in time, without what moves and without what the camera cannot
// see although the LiDAR does; masks cover the points of the scans around that move.
gs::TrainingSet trainingFrames(const std::filesystem::path& ingest,
                               const std::filesystem::path& calibration,
                               const std::filesystem::path& geometry,
                               const TrainingFrameOptions& options);

}  // namespace gs_builder
