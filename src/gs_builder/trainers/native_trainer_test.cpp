// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/native_trainer.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/render/testing/small_clouds.hpp"

namespace gs_builder {
namespace {

gs::TrainingSet imagesOf(int count, int width, int height) {
  gs::TrainingSet set;
  for (int i = 0; i < count; ++i) {
    gs::TrainingImage image{.camera_id = "front", .is_held_out = i % 2 == 1};
    image.camera.width = width, image.camera.height = height;
    set.images.push_back(image);
  }
  return set;
}

TEST(NativeTrainer, HasNoMoreSplatsThanTheTrainedPixelsTeach) {
  const gs::TrainingSet set = imagesOf(200, 400, 250);  // ten million trained pixels
  const auto budget = [&](const gs::TrainingSet& images, int pixels_per_gaussian) {
    gs::TrainerOptions options{.max_gaussians = 600'000};
    fitToImages(images, pixels_per_gaussian, options);
    return options.max_gaussians;
  };
  EXPECT_EQ(budget(set, 100), 100'000u);
  EXPECT_EQ(budget(set, 10), 600'000u);
  EXPECT_EQ(budget(set, 0), 600'000u);
  EXPECT_EQ(budget(imagesOf(2, 40, 30), 100), 20'000u);
  gs::TrainerOptions few{.max_gaussians = 100};
  fitToImages(set, 100, few);
  EXPECT_EQ(few.max_gaussians, 100u);
}

TEST(NativeTrainer, KeepsWithinItsMemoryOrSaysWhatItNeeds) {
  const gs::TrainingSet set = imagesOf(1000, 960, 540);
  gs::TrainerOptions options{.max_gaussians = 200'000};
  constexpr size_t kBudget = size_t{1} << 30;
  fitIntoMemory(set, kBudget, options);
  EXPECT_LE(gs::estimateTrainingMemory(set, options), kBudget);
  EXPECT_GT(options.image_cache_bytes, size_t{64} << 20);
  gs::TrainerOptions roomy{.max_gaussians = 200'000};
  fitIntoMemory(imagesOf(10, 960, 540), kBudget, roomy);
  EXPECT_LT(gs::estimateTrainingMemory(imagesOf(10, 960, 540), roomy), kBudget / 2)
      << "ten images do not need all that they may have";
  try {
    fitIntoMemory(set, size_t{100} << 20, options);
    FAIL() << "fits into 100 MB";
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::TrainingFailed);
    EXPECT_GT(error.report().details.json()["needed_mb"], 100);
    EXPECT_EQ(error.report().details.json()["limit_mb"], 100);
  }
}

// Small images are nearly right from the start, whole ones never: noise that no splat can learn.
// What a training says of itself while images are small is then far above what is true.
struct NoisyDrive {
  NoisyDrive() {
    set = imagesOf(8, 64, 48);
    for (size_t i = 0; i < set.images.size(); ++i) {
      set.images[i].camera = gs::testing::pinhole(64, 48, 50);
      set.images[i].map_from_camera.translation = {0.1 * static_cast<double>(i) - 0.4, 0, 0};
    }
    set.load_image = [](size_t i) {
      gs::Rng rng(i + 1);
      gs::Image8 image(64, 48, 3);
      for (uint8_t& value : image.pixels) value = rng.uniform() < 0.5 ? 80 : 200;
      return image;
    };
    for (int y = -6; y <= 6; ++y)
      for (int x = -8; x <= 8; ++x)
        gs::testing::append(initial, {.position = {0.5 * x, 0.5 * y, 5},
                                      .scale = {0.4, 0.4, 0.02},
                                      .opacity = 0.95,
                                      .rgb = {0.52, 0.52, 0.52}});
    options.iterations = 60;
    options.sh_degree = 0;
    options.first_divisor = 8;
    options.coarse_part = 0.5;
    options.densify_interval = 0;
    options.has_sky = false;
    options.mask_residuals = false;
    options.save_iterations = {60};
  }
  gs::TrainingSet set;
  gs::GaussianCloud initial;
  gs::TrainerOptions options;
};

TEST(NativeTrainer, ExportsWhatWasMeasuredBestAlsoWhenItWasInterrupted) {
  const NoisyDrive drive;
  const gs::testing::TempDir dir;
  const auto trainUntil = [&](double part) {
    TrainingRecorder recorder(dir.path(), {});
    const StopRequest stop;
    runNativeTrainer({.set = drive.set,
                      .options = drive.options,
                      .checkpoints = dir.path() / "checkpoints",
                      .load_initial = [&] { return drive.initial; },
                      .progress =
                          [&](double done, const std::string&) {
                            if (done >= part) std::raise(SIGINT);
                          }},
                     stop, recorder);
  };
  EXPECT_THROW(trainUntil(0.2), gs::Error);
  TrainingReport report = readTrainingReport(dir.path() / "training_report.json");
  ASSERT_EQ(report.iterations.size(), 1u);
  EXPECT_EQ(report.iterations[0].held_out_images, 4);
  EXPECT_GT(*report.iterations[0].train_psnr, report.iterations[0].psnr + 5);
  EXPECT_EQ(report.best_iteration, 12);  // it may be used as it is
  trainUntil(2);
  report = readTrainingReport(dir.path() / "training_report.json");
  ASSERT_EQ(report.iterations.size(), 2u);
  EXPECT_GT(report.iterations[1].psnr, report.iterations[0].psnr);
  EXPECT_EQ(report.best_iteration, 60);
}

}  // namespace
}  // namespace gs_builder
