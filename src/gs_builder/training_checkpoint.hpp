// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "gs/train/trainer.hpp"

// 03_gs_training/checkpoints/iteration_<n>/: background.splat.ply, sky.png where there is a sky,
// and state.bin, which training goes on from. A folder appears complete or not at all.
namespace gs_builder {

std::filesystem::path checkpointFolder(const std::filesystem::path& checkpoints, int iteration);

// The state of earlier checkpoints is removed once the new one is there: only the last is gone on
// from, and it is several times as large as the splats. An empty state is not written.
void writeCheckpoint(const std::filesystem::path& checkpoints,
                     const gs::TrainingCheckpoint& checkpoint, bool keeps_sky = true);

std::vector<int> listCheckpoints(const std::filesystem::path& checkpoints);  // ascending
// The last one that training can go on from; nothing when there is none.
std::optional<gs::TrainingCheckpoint> findResumable(const std::filesystem::path& checkpoints);
// Splats and sky, without state. Throws CHECKPOINT_NOT_FOUND.
gs::TrainingCheckpoint readCheckpoint(const std::filesystem::path& checkpoints, int iteration);

}  // namespace gs_builder
