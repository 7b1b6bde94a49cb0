// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "gs/bundle/gaussian_ply.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/png.hpp"
#include "gs/train/start_splats.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/ego_mask.hpp"
#include "gs_builder/stage.hpp"
#include "gs_builder/trainers/foreign_trainer.hpp"
#include "gs_builder/trainers/held_out_psnr.hpp"
#include "gs_builder/trainers/native_trainer.hpp"
#include "gs_builder/training_checkpoint.hpp"
#include "gs_builder/training_frames.hpp"

// gs_train_orchestrator: hands the drive and the initial Gaussians (05_geometry) to a trainer. It
// leaves checkpoints/, training_log.txt, metrics.json and training_report.json; gs_export takes the
// best checkpoint of the report.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

gs::GaussianCloud initialSplats(const fs::path& geometry, const gs::TrainingSet& set,
                                size_t max_count, int sh_degree) {
  const fs::path file = geometry / "initial.splat.ply";
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw gs::Error({.code = gs::ErrorCode::FileMissing,
                     .component = "gs_train_orchestrator",
                     .message = "'" + file.string() + "' is not there",
                     .details = {{"file", file.string()}},
                     .suggestion = "Run geometry_builder first."});
  std::vector<gs::Vec3> eyes;
  for (const gs::TrainingImage& image : set.images)
    eyes.push_back(image.map_from_camera.translation);
  gs::GaussianCloud cloud = gs::thinOut(gs::readGaussianPly(*gs::openFile(file)), eyes, max_count);
  // The map looks the same from all sides: its higher coefficients are zeros, however many.
  cloud.sh_degree = sh_degree;
  cloud.sh_rest.assign(cloud.size() * gs::restCount(sh_degree), 0.0f);
  // Half transparent: what is behind can show through where the map is wrong.
  std::fill(cloud.logit_opacity.begin(), cloud.logit_opacity.end(), 0.0f);
  return cloud;
}

void writeEgoMasks(const EgoMasks& masks, const fs::path& folder) {
  for (const auto& [camera, mask] : masks) {
    gs::createDirectories(folder);
    gs::writeFileAtomically(folder / ("camera_" + camera + ".png"), gs::encodePng(mask));
  }
}

void runNative(StageContext& context, gs::TrainingSet& set, const fs::path& geometry,
               const StopRequest& stop, TrainingRecorder& recorder) {
  const TrainingConfig& config = context.config.training;
  gs::TrainerOptions options = trainerOptions(config);
  fitToImages(set, config.training.native.pixels_per_gaussian, options);
  fitIntoMemory(set, static_cast<size_t>(config.training.native.memory_mb) << 20, options);
  recorder.log(fmt::format("{} images, at most {} splats, about {} MB", set.images.size(),
                           options.max_gaussians, gs::estimateTrainingMemory(set, options) >> 20));
  // Room for what only images show, and for detail.
  const auto start_count = static_cast<size_t>(std::max(
      100.0, config.training.native.start_part * static_cast<double>(options.max_gaussians)));
  const gs::TrainingResult result = runNativeTrainer(
      {.set = set,
       .options = options,
       .checkpoints = context.workspace.dir("03_gs_training") / config.output.checkpoint_dir,
       .load_initial = [&] { return initialSplats(geometry, set, start_count, options.sh_degree); },
       .progress = context.status},
      stop, recorder);
  context.statistics["training_iterations"] = result.iterations;
  context.statistics["training_masked_pixels"] = result.masked_pixels;
  if (result.is_converged)
    recorder.log(fmt::format("iteration {}: no gain any more, stopped early", result.iterations));
}

[[noreturn]] void failChild(const ChildCommand& command, const ChildEnd& end, int iteration) {
  bool is_memory = false;
  for (const std::string& line : end.last_lines)
    is_memory = is_memory || line.find("CUDA out of memory") != line.npos ||
                line.find("OutOfMemoryError") != line.npos;
  const std::vector<std::string> lines(end.last_lines.begin(), end.last_lines.end());
  nlohmann::ordered_json details = {{"iteration", iteration},
                                    {"exit_code", end.exit_code},
                                    {"signal", end.signal},
                                    {"command", command.arguments},
                                    {"last_lines", lines}};
  throw gs::Error(
      {.code = is_memory ? gs::ErrorCode::GpuOutOfMemory : gs::ErrorCode::TrainingFailed,
       .component = "gs_train_orchestrator",
       .message = (end.is_stopped ? "training was stopped: the trainer " : "the trainer ") +
                  end.describe() + fmt::format(" at iteration {}", iteration),
       .details = gs::Details(std::move(details)),
       .suggestion = end.is_stopped ? "Run the same command again to start it anew."
                                    : "Its last lines are in 'details', all of them in "
                                      "03_gs_training/training_log.txt."});
}

void runForeign(StageContext& context, const gs::TrainingSet& set, const fs::path& dataset,
                const StopRequest& stop, TrainingRecorder& recorder) {
  const TrainingConfig& config = context.config.training;
  const fs::path folder = context.workspace.dir("03_gs_training");
  const fs::path output = folder / "trainer_output";
  std::error_code ignored;
  fs::remove_all(output, ignored);  // of an interrupted run
  gs::createDirectories(output);
  recorder.forgetAfter(0);
  const ForeignTrainer trainer = makeForeignTrainer(config, dataset, output);
  TrainerLine last;
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const ChildEnd end = runChild(trainer.command, stop, [&](std::string_view line) {
    recorder.log(line);
    const auto said = trainer.parse_line(line);
    if (!said) return;
    last = *said;
    std::string status = fmt::format("iteration {}/{}", said->iteration, said->iterations);
    if (said->loss) status += fmt::format(", loss {:.4f}", *said->loss);
    if (said->psnr_db) status += fmt::format(", {:.2f} dB", *said->psnr_db);
    if (said->gaussians) status += fmt::format(", {} splats", *said->gaussians);
    context.status(static_cast<double>(said->iteration) / said->iterations, status);
    recorder.add({said->iteration, said->loss.value_or(0), said->psnr_db.value_or(0),
                  said->gaussians.value_or(0), seconds()});
  });
  if (!end.isSuccess()) failChild(trainer.command, end, last.iteration);

  ForeignResult result = trainer.import_result();
  if (result.dropped > 0)
    context.warnings.push_back(
        fmt::format("{} splats of the trainer were not numbers; left out", result.dropped));
  const int iteration = result.iteration > 0 ? result.iteration : config.training.iterations;
  const HeldOutPsnr measured = measurePsnr(
      set, result.cloud, result.sky, static_cast<size_t>(config.training.native.evaluate_images));
  writeCheckpoint(
      folder / config.output.checkpoint_dir,
      {.iteration = iteration, .cloud = std::move(result.cloud), .sky = std::move(result.sky)});
  recorder.report.held_out_images = static_cast<int>(measured.images);
  recorder.report.training_time_sec = seconds();
  recorder.addEvaluation(iteration, measured.psnr_db, last.psnr_db.value_or(0), measured.images);
  recorder.addCheckpoint({.iteration = iteration,
                          .psnr = measured.psnr_db,
                          .held_out_images = static_cast<int>(measured.images),
                          .loss = last.loss.value_or(0),
                          .train_psnr = last.psnr_db,
                          .gaussian_count = last.gaussians.value_or(0)});
  recorder.save();
  context.statistics["training_iterations"] = iteration;
}

}  // namespace

void runGsTraining(StageContext& context) {
  const TrainingConfig& config = context.config.training;
  const fs::path dataset = context.input("02_drivesim_dataset");
  const fs::path geometry = context.input("05_geometry");
  const fs::path folder = context.workspace.dir("03_gs_training");
  gs::TrainingSet set =
      trainingFrames(context.input("00_mcap_ingest"), context.input("01_calibration"), geometry,
                     {.held_out_every = config.training.held_out_every,
                      .masks_moving = config.training.native.mask_moving});
  const EgoMasks ego = findEgoMasks(set);
  writeEgoMasks(ego, folder / "ego_masks");
  addEgoMasks(ego, set);
  TrainingRecorder recorder(folder, {.seed = config.training.seed,
                                     .max_iterations = config.training.iterations,
                                     .drivesim_commit = trainerCommit(config)});
  recorder.report.checkpoint_dir = config.output.checkpoint_dir;
  const StopRequest stop;
  if (config.training.backend == TrainingBackend::Native)
    runNative(context, set, geometry, stop, recorder);
  else runForeign(context, set, dataset, stop, recorder);

  context.statistics["final_psnr"] = recorder.report.best_psnr;
  context.statistics["best_iteration"] = recorder.report.best_iteration;
  for (const TrainingReport::Iteration& iteration : recorder.report.iterations)
    if (iteration.iteration == recorder.report.best_iteration && iteration.train_psnr)
      context.statistics["train_psnr"] = *iteration.train_psnr;
  if (recorder.report.held_out_images == 0)
    context.warnings.emplace_back("no image was held out: final_psnr is that of trained images");
}

}  // namespace gs_builder
