// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs_builder/trainers/child_process.hpp"
#include "gs_builder/trainers/drivestudio_checkpoint.hpp"
#include "gs_builder/training_config.hpp"

// Trainers that are other programs: how they are started, what they say, what they leave.
namespace gs_builder {

// What a line of a trainer's output says about how far it is. All but the iteration may be missing.
struct TrainerLine {
  int iteration = 0;
  int iterations = 0;
  std::optional<double> psnr_db, loss;
  std::optional<uint64_t> gaussians;
};

// DriveStudio: "[  500/30001]  eta: 0:10:02  ...  losses/rgb_loss: 0.021 (0.034)  ...".
std::optional<TrainerLine> parseDriveStudioLine(std::string_view line);
// Any trainer: "500/30000" with the number of iterations that was asked for.
std::optional<TrainerLine> parseCountingLine(std::string_view line, int iterations);

// How DriveStudio is started, from its checkout. `dataset` is the folder above the scene 000, and
// the result appears in output/gs_world_builder/run.
ChildCommand driveStudioCommand(const TrainingConfig& config, const std::filesystem::path& dataset,
                                const std::filesystem::path& output, int cameras);
// The template with its placeholders filled in, each as one word for the shell that runs it.
ChildCommand templateCommand(const TrainingConfig& config, const std::filesystem::path& dataset,
                             const std::filesystem::path& output);

struct ForeignTrainer {
  ChildCommand command;
  std::function<std::optional<TrainerLine>(std::string_view)> parse_line;
  std::function<ForeignResult()> import_result;  // after success
};
// Of the configured backend, which is not native. `dataset` is 02_drivesim_dataset. Throws
// TRAINING_FAILED when the dataset is not made for it.
ForeignTrainer makeForeignTrainer(const TrainingConfig& config,
                                  const std::filesystem::path& dataset,
                                  const std::filesystem::path& output);

}  // namespace gs_builder
