// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/train/trainer_options.hpp"
#include "gs/train/training_set.hpp"

namespace gs {

// Quality on images that were never trained on, at their full size.
struct TrainingEvaluation {
  int iteration = 0;
  double psnr_db = 0;        // of all pixels that the masks let count
  double train_psnr_db = 0;  // running mean over the images of the last iterations
  size_t images = 0;         // held out; 0: psnr_db is that of trained images
  size_t gaussians = 0;
};

struct TrainingProgress {
  int iteration = 0, iterations = 0;
  double loss = 0;     // running mean
  double psnr_db = 0;  // running mean over trained images, at the resolution of now
  size_t gaussians = 0;
  double resolution = 1;  // of the images now: 1/8, 1/4, 1/2 or 1
  double elapsed_sec = 0, remaining_sec = 0;
};

// All that training needs to go on from here; what it gives is in there too.
struct TrainingCheckpoint {
  int iteration = 0;
  GaussianCloud cloud;
  Image8 sky;         // equirectangular; empty without a sky
  std::string state;  // moments, schedules, poses, exposures: opaque bytes
};

// Told what happens; the trainer goes on when it returns.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  // After each iteration. False: stop here; the result is that of now.
  virtual bool onProgress(const TrainingProgress&) { return true; }
  // Before every checkpoint, and at options.evaluate_every.
  virtual void onEvaluation(const TrainingEvaluation&) {}
  // At options.save_iterations, at the last iteration, and when stopped.
  virtual void onCheckpoint(const TrainingCheckpoint&) {}
};

struct TrainingResult {
  int iterations = 0;  // done
  bool is_stopped = false, is_converged = false;
  GaussianCloud cloud;  // of the last iteration
  Image8 sky;
  std::vector<TrainingEvaluation> evaluations;
  size_t masked_pixels = 0;  // by residuals, in the images trained on last
};

// Bytes that train() will need at its peak, beside the caller's.
size_t estimateTrainingMemory(const TrainingSet& set, const TrainerOptions& options);

// Fits the Gaussians to the images. Same input, options and seed: same bytes, for any number of
// threads. With a checkpoint it goes on from there, `initial` is then not read.
// Throws TrainingFailed, with the iteration and the cause, when there is nothing to train on or the
// loss is no longer a number.
TrainingResult train(const TrainingSet& set, const GaussianCloud& initial,
                     const TrainerOptions& options, TrainingObserver& observer,
                     const TrainingCheckpoint* resume_from = nullptr);

}  // namespace gs
