// SPDX-License-Identifier: Apache-2.0
// training_memory: every one of a thousand images of 960 x 540 is trained on once, with 200,000
// splats, as the training stage would, checkpoint included. Prints the peak memory and fails when
// it is 3 GB or more.
#include <algorithm>
#include <cstdio>

#include "gs/core/process_memory.hpp"
#include "gs/synthetic/town_splats.hpp"
#include "gs/train/trainer.hpp"
#include "gs_builder/trainers/native_trainer.hpp"

namespace {

constexpr int kImages = 1000, kWidth = 960, kHeight = 540;
constexpr size_t kSplats = 200'000, kLimit = size_t{3} << 30;

gs::TrainingSet makeImages(const gs::Town& town) {
  gs::TrainingSet set;
  for (int i = 0; i < kImages; ++i) {
    gs::TrainingImage image{.camera_id = "front", .stamp = {i}};
    image.camera = {.width = kWidth, .height = kHeight};
    image.camera.intrinsics = {.fx = 600, .fy = 600, .cx = 479.5, .cy = 269.5};
    image.map_from_camera = gs::townCameraPose(town, 0.04 * i);
    set.images.push_back(image);
  }
  set.load_image = [](size_t i) {
    gs::Image8 image(kWidth, kHeight, 3);
    std::fill(image.pixels.begin(), image.pixels.end(), static_cast<uint8_t>(100 + i % 50));
    return image;
  };
  set.load_depth = [](size_t i) {
    std::vector<gs::DepthSample> depths;
    for (int k = 0; k < 6000; ++k)
      depths.push_back({static_cast<float>(k * 7 % kWidth), static_cast<float>(k * 13 % kHeight),
                        10.0f + static_cast<float>(i % 7)});
    return depths;
  };
  return set;
}

struct Watcher final : gs::TrainingObserver {
  size_t checkpoint_splats = 0;
  bool onProgress(const gs::TrainingProgress& progress) override {
    if (progress.iteration % 100 == 0)
      std::printf("iteration %d: peak %zu MB, %.0f s left\n", progress.iteration,
                  gs::peakMemory() >> 20, progress.remaining_sec);
    std::fflush(stdout);
    return true;
  }
  void onCheckpoint(const gs::TrainingCheckpoint& checkpoint) override {
    checkpoint_splats = checkpoint.cloud.size();
  }
};

}  // namespace

int main() {
  const gs::Town town = gs::Town::make();
  const gs::TrainingSet set = makeImages(town);
  gs_builder::TrainingConfig config;
  config.training.iterations = kImages;
  config.training.native.max_gaussians = kSplats;
  config.training.native.first_divisor = 1;
  config.training.native.patience = 0;
  config.output.save_iterations = {kImages / 2, kImages};
  gs::TrainerOptions options = gs_builder::trainerOptions(config);
  gs_builder::fitIntoMemory(set, static_cast<size_t>(config.training.native.memory_mb) << 20,
                            options);
  Watcher watcher;
  gs::train(set, gs::makeTownSplats(town, {.count = kSplats, .length = 60}), options, watcher);
  std::printf("%d images of %d x %d, %zu splats: estimate %zu MB, peak %zu MB\n", kImages, kWidth,
              kHeight, watcher.checkpoint_splats, gs::estimateTrainingMemory(set, options) >> 20,
              gs::peakMemory() >> 20);
  return gs::peakMemory() < kLimit ? 0 : 1;
}
