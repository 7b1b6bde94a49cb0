// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/native_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/core/process_memory.hpp"
#include "gs_builder/training_checkpoint.hpp"

namespace gs_builder {
namespace {

constexpr int kSampleEvery = 100;  // iterations between two lines of the log

gs::Error failed(const std::string& message, int iteration, const std::string& suggestion) {
  return gs::Error({.code = gs::ErrorCode::TrainingFailed,
                    .component = "gs_train_orchestrator",
                    .message = message,
                    .details = {{"iteration", iteration}},
                    .suggestion = suggestion});
}

// Keeps what the trainer tells.
class Orchestrator final : public gs::TrainingObserver {
 public:
  Orchestrator(const NativeRun& run, const StopRequest& stop, TrainingRecorder& recorder)
      : run_(run), stop_(stop), recorder_(recorder), before_(recorder.report.training_time_sec) {}

  bool onProgress(const gs::TrainingProgress& progress) override {
    last_ = progress;
    const double done = static_cast<double>(progress.iteration) / std::max(1, progress.iterations);
    // The coarse iterations are the cheap ones: time tells better than counting.
    const double whole = progress.elapsed_sec + progress.remaining_sec;
    const bool is_timed = progress.elapsed_sec > 5 && whole > 0 && before_ == 0;
    run_.progress(is_timed ? progress.elapsed_sec / whole : done, statusText(progress));
    const bool is_stopped = stop_.isRequested();
    if (progress.iteration % kSampleEvery == 0 || is_stopped ||
        progress.iteration == progress.iterations) {
      recorder_.add({progress.iteration, progress.loss, progress.psnr_db, progress.gaussians,
                     before_ + progress.elapsed_sec});
      recorder_.log(fmt::format("{}, {:.1f} s, {:.0f} s left", statusText(progress),
                                before_ + progress.elapsed_sec, progress.remaining_sec));
    }
    return !is_stopped;
  }

  void onEvaluation(const gs::TrainingEvaluation& evaluation) override {
    evaluation_ = evaluation;
    recorder_.report.held_out_images = static_cast<int>(evaluation.images);
    recorder_.addEvaluation(evaluation.iteration, evaluation.psnr_db, evaluation.train_psnr_db,
                            evaluation.images);
    recorder_.log(fmt::format("iteration {}: {:.2f} dB on {} held-out images, {:.2f} dB on trained",
                              evaluation.iteration, evaluation.psnr_db, evaluation.images,
                              evaluation.train_psnr_db));
  }

  void onCheckpoint(const gs::TrainingCheckpoint& checkpoint) override {
    if (gs::findDefects(checkpoint.cloud).non_finite > 0)
      throw failed(
          fmt::format("splats are no longer numbers at iteration {}", checkpoint.iteration),
          checkpoint.iteration, "Lower training.learning_rate.");
    writeCheckpoint(run_.checkpoints, checkpoint, run_.options.has_sky);
    GS_CHECK(evaluation_.iteration == checkpoint.iteration);  // the trainer measures what it saves
    recorder_.addCheckpoint({.iteration = checkpoint.iteration,
                             .psnr = evaluation_.psnr_db,
                             .held_out_images = static_cast<int>(evaluation_.images),
                             .loss = last_.loss,
                             .train_psnr = last_.psnr_db,
                             .gaussian_count = checkpoint.cloud.size()});
    recorder_.log(fmt::format("iteration {}: checkpoint", checkpoint.iteration));
    recorder_.save();
  }

  int iteration() const { return last_.iteration; }

 private:
  const NativeRun& run_;
  const StopRequest& stop_;
  TrainingRecorder& recorder_;
  double before_;  // s of earlier runs
  gs::TrainingProgress last_;
  gs::TrainingEvaluation evaluation_;
};

}  // namespace

gs::TrainerOptions trainerOptions(const TrainingConfig& config) {
  const TrainingConfig::Training& training = config.training;
  const TrainingConfig::Native& native = training.native;
  gs::TrainerOptions options;
  options.iterations = training.iterations;
  options.seed = training.seed;
  options.sh_degree = config.model.sh_degree;
  options.sh_interval = native.sh_interval;
  options.first_divisor = native.first_divisor;
  options.last_divisor = native.last_divisor;
  options.coarse_part = native.coarse_part;
  const double shrink = options.rates.position_last / options.rates.position;
  options.rates.position = training.learning_rate.position;
  options.rates.position_last = shrink * training.learning_rate.position;
  options.rates.feature = training.learning_rate.feature;
  options.rates.opacity = training.learning_rate.opacity;
  options.rates.scaling = training.learning_rate.scaling;
  options.rates.rotation = training.learning_rate.rotation;
  options.ssim_weight = native.ssim_weight;
  options.depth_weight = native.depth_weight;
  options.opacity_weight = native.opacity_weight;
  options.scale_weight = native.scale_weight;
  options.sky_weight = native.sky_weight;
  options.densify = native.densify == DensifyWay::Classic ? gs::DensifyMethod::Classic
                                                          : gs::DensifyMethod::Relocation;
  options.densify_start = training.densify.start_iter;
  options.densify_end = training.densify.end_iter;
  options.densify_interval = training.densify.interval;
  options.grad_threshold = training.densify.grad_threshold;
  options.max_gaussians = static_cast<size_t>(native.max_gaussians);
  options.refine_pose = config.optimization.refine_pose;
  options.refine_exposure = config.optimization.refine_exposure;
  options.mask_residuals = config.optimization.mask_residuals;
  options.has_sky = native.sky;
  options.save_iterations = config.output.save_iterations;
  options.evaluate_every = native.evaluate_every;
  options.evaluate_images = static_cast<size_t>(native.evaluate_images);
  options.patience = native.patience;
  return options;
}

void fitToImages(const gs::TrainingSet& set, int pixels_per_gaussian, gs::TrainerOptions& options) {
  if (pixels_per_gaussian == 0) return;
  constexpr size_t kLeast = 20'000;  // the smallest scene has its surfaces
  size_t pixels = 0;
  for (const gs::TrainingImage& image : set.images)
    if (!image.is_held_out) pixels += static_cast<size_t>(image.camera.width) * image.camera.height;
  const size_t useful = std::max(kLeast, pixels / static_cast<size_t>(pixels_per_gaussian));
  options.max_gaussians = std::min(options.max_gaussians, useful);
}

void fitIntoMemory(const gs::TrainingSet& set, size_t budget_bytes, gs::TrainerOptions& options) {
  options.image_cache_bytes = 0;
  const size_t least = gs::estimateTrainingMemory(set, options);
  constexpr size_t kLeastCache = size_t{64} << 20;
  const size_t available = gs::availableMemory();
  const size_t limit = available > 0 ? std::min(budget_bytes, available) : budget_bytes;
  if (least + kLeastCache > limit)
    throw gs::Error(
        {.code = gs::ErrorCode::TrainingFailed,
         .component = "gs_train_orchestrator",
         .message = fmt::format("training needs {} MB, and {} MB are {}",
                                (least + kLeastCache) >> 20, limit >> 20,
                                limit == budget_bytes ? "what training.native.memory_mb allows"
                                                      : "free on this machine"),
         .details = {{"iteration", 0},
                     {"needed_mb", static_cast<int64_t>((least + kLeastCache) >> 20)},
                     {"limit_mb", static_cast<int64_t>(limit >> 20)}},
         .suggestion = "Lower training.native.max_gaussians, or raise training.native.memory_mb."});
  options.image_cache_bytes = limit - least;
}

std::string statusText(const gs::TrainingProgress& progress) {
  std::string text =
      fmt::format("iteration {}/{}, loss {:.4f}, {:.2f} dB, {} splats", progress.iteration,
                  progress.iterations, progress.loss, progress.psnr_db, progress.gaussians);
  if (progress.resolution < 1)
    text += fmt::format(", 1/{} size", std::lround(1 / progress.resolution));
  return text;
}

gs::TrainingResult runNativeTrainer(const NativeRun& run, const StopRequest& stop,
                                    TrainingRecorder& recorder) {
  const auto resumed = findResumable(run.checkpoints);
  recorder.forgetAfter(resumed ? resumed->iteration : 0);
  if (resumed) recorder.log(fmt::format("iteration {}: going on from here", resumed->iteration));
  Orchestrator orchestrator(run, stop, recorder);
  gs::TrainingResult result;
  try {
    result = gs::train(run.set, resumed ? gs::GaussianCloud{} : run.load_initial(), run.options,
                       orchestrator, resumed ? &*resumed : nullptr);
  } catch (const std::bad_alloc&) {
    throw failed(fmt::format("memory is exhausted at iteration {}", orchestrator.iteration()),
                 orchestrator.iteration(), "Lower training.native.max_gaussians.");
  } catch (const gs::Error& error) {
    recorder.log(error.what());
    throw;
  }
  recorder.report.end = result.is_stopped     ? "stopped"
                        : result.is_converged ? "converged"
                                              : "complete";
  recorder.save();
  if (result.is_stopped)
    throw failed(fmt::format("training was stopped at iteration {}; its checkpoint is kept",
                             result.iterations),
                 result.iterations,
                 "Run the same command again to go on from there, or 'gs-world-builder run-step "
                 "gs_export' and then 'world_bundle_packer' to use what there is.");
  return result;
}

}  // namespace gs_builder
