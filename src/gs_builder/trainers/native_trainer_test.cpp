// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/native_trainer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"

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

}  // namespace
}  // namespace gs_builder
