// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "gs/train/trainer.hpp"
#include "gs_builder/trainers/stop_request.hpp"
#include "gs_builder/training_config.hpp"
#include "gs_builder/training_recorder.hpp"

namespace gs_builder {

gs::TrainerOptions trainerOptions(const TrainingConfig& config);

// Lowers the budget of splats where there are few pixels to teach them: what has none of its own
// only learns the noise of single images, and shows it from everywhere else.
void fitToImages(const gs::TrainingSet& set, int pixels_per_gaussian, gs::TrainerOptions& options);

// Gives the image cache what the budget leaves over. Throws TRAINING_FAILED with the figures when
// the rest alone does not fit, or when the machine has less than that.
void fitIntoMemory(const gs::TrainingSet& set, size_t budget_bytes, gs::TrainerOptions& options);

struct NativeRun {
  const gs::TrainingSet& set;
  const gs::TrainerOptions& options;
  std::filesystem::path checkpoints;
  std::function<gs::GaussianCloud()> load_initial;  // asked only when nothing is gone on from
  std::function<void(double fraction, const std::string& status)> progress;
};

// Trains to the end, from the last checkpoint where there is one, and keeps checkpoints, log,
// metrics and report. Throws TRAINING_FAILED when a stop was requested; what was reached is then a
// checkpoint that the next run goes on from.
gs::TrainingResult runNativeTrainer(const NativeRun& run, const StopRequest& stop,
                                    TrainingRecorder& recorder);

// "iteration 700/3000, loss 0.0712, 24.31 dB, 150000 splats, 1/4 size"
std::string statusText(const gs::TrainingProgress& progress);

}  // namespace gs_builder
