// SPDX-License-Identifier: Apache-2.0
#include "gs/train/trainer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/render/testing/small_clouds.hpp"
#include "gs/train/densify.hpp"
#include "gs/train/start_splats.hpp"

namespace gs {
namespace {

// A wall of coloured splats, five metres ahead.
GaussianCloud wall(uint64_t seed) {
  Rng rng(seed);
  GaussianCloud cloud;
  cloud.sh_degree = 1;
  for (int y = -4; y <= 4; ++y)
    for (int x = -6; x <= 6; ++x)
      testing::append(cloud, {.position = {0.5 * x, 0.5 * y, 5},
                              .scale = {0.25, 0.25, 0.02},
                              .opacity = 0.9,
                              .rgb = {rng.uniform(), rng.uniform(), rng.uniform()}});
  return cloud;
}

// Images of a cloud from places side by side; every `held_out_every`-th is held out.
struct Drive {
  explicit Drive(const GaussianCloud& truth, int count = 6, int held_out_every = 3) {
    const CpuRenderer renderer(truth);
    for (int n = 0; n < count; ++n) {
      TrainingImage image{.camera_id = "front", .stamp = {n}};
      image.camera = testing::pinhole(48, 32, 40);
      image.map_from_camera.translation = {0.3 * n - 0.6, 0, 0};
      image.is_held_out = held_out_every > 0 && n % held_out_every == held_out_every - 1;
      set.images.push_back(image);
      pixels.push_back(
          renderer
              .render({image.camera, image.map_from_camera, {}}, {.background = {0.5f, 0.5f, 0.5f}})
              .rgb);
    }
    set.load_image = [this](size_t i) { return pixels[i]; };
  }
  Drive(const Drive&) = delete;

  TrainingSet set;
  std::vector<Image8> pixels;
};

GaussianCloud grey(GaussianCloud cloud) {
  for (auto& channel : cloud.sh_dc)
    for (float& value : channel) value = 0;
  return cloud;
}

TrainerOptions shortTraining() {
  TrainerOptions options;
  options.iterations = 120;
  options.sh_degree = 1;
  options.sh_interval = 40;
  options.rates.feature = 0.05;
  options.densify_start = 30;
  options.densify_end = 100;
  options.densify_interval = 30;
  options.max_gaussians = 150;
  options.first_divisor = 2;
  options.has_sky = false;
  options.sky_height = 16;
  options.mask_residuals = false;
  return options;
}

struct Kept : TrainingObserver {
  std::vector<TrainingCheckpoint> checkpoints;
  std::vector<TrainingProgress> progress;
  int stop_at = -1;
  void onCheckpoint(const TrainingCheckpoint& c) override { checkpoints.push_back(c); }
  bool onProgress(const TrainingProgress& p) override {
    progress.push_back(p);
    return p.iteration != stop_at;
  }
};

bool isFinite(const GaussianCloud& cloud) {
  const auto finite = [](const GaussianCloud::Floats& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  };
  bool all = finite(cloud.logit_opacity) && finite(cloud.sh_rest);
  for (size_t k = 0; k < 3; ++k)
    all = all && finite(cloud.position[k]) && finite(cloud.log_scale[k]) && finite(cloud.sh_dc[k]);
  for (size_t k = 0; k < 4; ++k) all = all && finite(cloud.rotation[k]);
  return all;
}

TEST(Trainer, LearnsTheColoursOfAWall) {
  const Drive drive(wall(1));
  Kept kept;
  const TrainingResult result = train(drive.set, grey(wall(1)), shortTraining(), kept);
  ASSERT_EQ(result.evaluations.size(), 1u);
  EXPECT_EQ(result.evaluations[0].images, 2u);
  EXPECT_GT(result.evaluations[0].psnr_db, 25);
  EXPECT_EQ(kept.progress.size(), 120u);
  EXPECT_LT(kept.progress.back().loss, 0.5 * kept.progress.front().loss);
  EXPECT_LE(result.cloud.size(), 150u);
}

TEST(Trainer, GivesTheSameBytesForAnyNumberOfThreads) {
  const Drive drive(wall(2));
  TrainerOptions options = shortTraining();
  options.has_sky = options.refine_exposure = options.refine_pose = true;
  Kept one, many;
  setThreadCount(1);
  const TrainingResult first = train(drive.set, grey(wall(2)), options, one);
  setThreadCount(8);
  const TrainingResult second = train(drive.set, grey(wall(2)), options, many);
  setThreadCount(0);
  EXPECT_EQ(first.cloud, second.cloud);
  EXPECT_EQ(first.sky, second.sky);
  EXPECT_EQ(one.checkpoints.back().state, many.checkpoints.back().state);
}

TEST(Trainer, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const Drive drive(wall(3));
  TrainerOptions options = shortTraining();
  options.has_sky = options.refine_exposure = options.refine_pose = options.mask_residuals = true;
  options.save_iterations = {50};
  Kept whole, rest;
  const TrainingResult expected = train(drive.set, grey(wall(3)), options, whole);
  ASSERT_EQ(whole.checkpoints.size(), 2u);
  const TrainingResult resumed = train(drive.set, {}, options, rest, &whole.checkpoints.front());
  EXPECT_EQ(rest.progress.size(), 70u);
  EXPECT_EQ(resumed.cloud, expected.cloud);
  EXPECT_EQ(resumed.sky, expected.sky);
}

TEST(Trainer, StopsWhenItGainsNothingWhetherInterruptedOrNot) {
  const Drive drive(wall(3));
  TrainerOptions options = shortTraining();
  options.first_divisor = 1;
  options.rates = {.position = 0, .position_last = 0, .feature = 0, .opacity = 0, .scaling = 0};
  options.densify_interval = 0;
  options.evaluate_every = 10;
  options.patience = 3;
  options.save_iterations = {20};
  Kept whole, rest;
  const TrainingResult expected = train(drive.set, grey(wall(3)), options, whole);
  EXPECT_TRUE(expected.is_converged);
  EXPECT_EQ(expected.iterations, 40);  // the first look is a gain, three are none
  const TrainingResult resumed = train(drive.set, {}, options, rest, &whole.checkpoints.front());
  EXPECT_TRUE(resumed.is_converged);
  EXPECT_EQ(resumed.iterations, 40);
}

TEST(Trainer, StopsWhenToldToAndLeavesACheckpoint) {
  const Drive drive(wall(4));
  Kept kept;
  kept.stop_at = 7;
  const TrainingResult result = train(drive.set, grey(wall(4)), shortTraining(), kept);
  EXPECT_TRUE(result.is_stopped);
  EXPECT_EQ(result.iterations, 7);
  ASSERT_EQ(kept.checkpoints.size(), 1u);
  EXPECT_EQ(kept.checkpoints[0].iteration, 7);
  ASSERT_EQ(result.evaluations.size(), 1u);  // what is saved is measured
  EXPECT_EQ(result.evaluations[0].iteration, 7);
  EXPECT_EQ(result.evaluations[0].images, 2u);
}

TEST(Trainer, MeasuresWholeImagesWhateverTheSizeItTrainsOn) {
  // Grey from far away, a chequerboard from near.
  Drive drive(wall(4));
  for (Image8& image : drive.pixels)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        std::fill_n(image.at(x, y), 3, static_cast<uint8_t>((x + y) % 2 == 0 ? 64 : 192));
  for (const bool holds_out : {true, false}) {
    for (size_t i = 0; i < drive.set.images.size(); ++i)
      drive.set.images[i].is_held_out = holds_out && i % 3 == 2;
    TrainerOptions options = shortTraining();
    options.iterations = 20;
    options.first_divisor = options.last_divisor = 4;
    Kept kept;
    const TrainingResult result = train(drive.set, grey(wall(4)), options, kept);
    EXPECT_EQ(result.evaluations[0].images, holds_out ? 2u : 0u);
    EXPECT_GT(result.evaluations[0].train_psnr_db, 25);
    EXPECT_LT(result.evaluations[0].psnr_db, 13);  // a quarter off, everywhere
  }
}

TEST(Trainer, CorrectsExposureAndPose) {
  const Drive drive(wall(5), 6, 0);
  Drive brighter(wall(5), 6, 0);
  for (size_t i = 0; i < brighter.pixels.size(); i += 2)
    for (uint8_t& value : brighter.pixels[i].pixels) value = static_cast<uint8_t>(value * 0.8);
  TrainerOptions options = shortTraining();
  Kept without, with;
  train(brighter.set, wall(5), options, without);
  options.refine_exposure = true;
  options.rates.exposure = 0.02;
  train(brighter.set, wall(5), options, with);
  EXPECT_LT(with.progress.back().loss, without.progress.back().loss);

  // Every camera but the first a little off: the images say where they really were.
  Drive moved(wall(5), 6, 0);
  Rng rng(3);
  for (size_t i = 1; i < moved.set.images.size(); ++i)
    moved.set.images[i].map_from_camera.translation += Vec3(rng.normal(), rng.normal(), 0) * 0.1;
  Kept stays, moves;
  options = shortTraining();
  options.rates.position = options.rates.position_last = 1e-9;
  train(moved.set, wall(5), options, stays);
  options.refine_pose = true;
  options.rates.pose = 0.01;
  train(moved.set, wall(5), options, moves);
  EXPECT_LT(moves.progress.back().loss, stays.progress.back().loss);
}

TEST(Trainer, DoesNotLearnWhatIsMasked) {
  Drive drive(wall(6), 6, 0);
  for (Image8& image : drive.pixels)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < 16; ++x) std::fill_n(image.at(x, y), 3, uint8_t{255});
  drive.set.load_mask = [](size_t) {
    Image8 mask(48, 32, 1);
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 48; ++x) *mask.at(x, y) = x < 16 ? 0 : 255;
    return mask;
  };
  TrainerOptions options = shortTraining();
  options.first_divisor = 1;
  Kept kept;
  const TrainingResult result = train(drive.set, grey(wall(6)), options, kept);
  // Unmasked it would have to be white there.
  const RenderedView view =
      CpuRenderer(result.cloud)
          .render({drive.set.images[0].camera, drive.set.images[0].map_from_camera, {}},
                  {.background = {0.5f, 0.5f, 0.5f}});
  double sum = 0;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 8; ++x) sum += view.rgb.at(x, y)[0];
  EXPECT_LT(sum / (32 * 8), 200);
}

TEST(Trainer, DoesNotDarkenWhatIsBrighterThanWhite) {
  GaussianCloud sunlit = wall(6);
  for (auto& channel : sunlit.sh_dc)
    for (float& value : channel) value = 4;  // 1.6 where white is 1
  const Drive drive(sunlit, 6, 0);           // whose images are white
  TrainerOptions options = shortTraining();
  options.first_divisor = 1;
  options.densify_interval = 0;
  Kept kept;
  const TrainingResult result = train(drive.set, sunlit, options, kept);
  // Those in the middle of the wall, whose neighbours are as bright.
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < result.cloud.size(); ++i) {
    if (std::abs(result.cloud.position[0][i]) > 1 || std::abs(result.cloud.position[1][i]) > 1)
      continue;
    sum += result.cloud.sh_dc[0][i];
    ++count;
  }
  EXPECT_GT(sum / static_cast<double>(count), 3.5);
}

TEST(Trainer, SaysWhatIsWrongWithWhatItGets) {
  Drive drive(wall(7));
  Kept kept;
  const auto codeOf = [&](const TrainingSet& set, const GaussianCloud& cloud) {
    try {
      train(set, cloud, shortTraining(), kept);
    } catch (const Error& e) {
      return e.report().code;
    }
    return ErrorCode::UsageError;
  };
  EXPECT_EQ(codeOf({}, wall(7)), ErrorCode::TrainingFailed);
  EXPECT_EQ(codeOf(drive.set, {}), ErrorCode::TrainingFailed);
  drive.pixels[0] = Image8(20, 20, 3);
  EXPECT_EQ(codeOf(drive.set, wall(7)), ErrorCode::TrainingFailed);
}

TEST(Trainer, MakesAValidWorldOfPoorInput) {
  TrainerOptions options = shortTraining();
  options.iterations = 30;
  options.has_sky = true;
  for (const int images : {1, 2}) {
    Drive drive(wall(8), images, 0);  // nothing held out
    for (Image8& image : drive.pixels) std::fill(image.pixels.begin(), image.pixels.end(), 0);
    Kept kept;
    const TrainingResult result = train(drive.set, wall(8), options, kept);
    EXPECT_TRUE(isFinite(result.cloud));
    EXPECT_GT(result.cloud.size(), 0u);
  }
  // Inside of a wall, with splats around the eye and depths that are absurd.
  Drive inside(wall(8));
  inside.set.load_depth = [](size_t) {
    return std::vector<DepthSample>{{1, 1, std::nanf("")}, {2, 2, -1}, {3, 3, 1e30f}, {4, 4, 5}};
  };
  for (TrainingImage& image : inside.set.images) image.map_from_camera.translation.z() = 5;
  Kept kept;
  EXPECT_TRUE(isFinite(train(inside.set, wall(8), options, kept).cloud));
}

TEST(Densify, KeepsTheBudgetAndRemovesTheFaint) {
  GaussianCloud cloud = wall(9);
  for (size_t i = 0; i < 20; ++i) cloud.logit_opacity[i] = -5.4f;  // 0.0045: drawn, but faint
  for (const DensifyMethod method : {DensifyMethod::Relocation, DensifyMethod::Classic}) {
    TrainedSplats splats = trainedFrom(cloud);
    for (size_t i = 0; i < splats.size(); ++i)
      splats.views[i] = 1, splats.error[i] = 1, splats.gradient[i] = 1;
    TrainerOptions options{.densify = method, .max_gaussians = 120};
    Rng rng(1);
    const DensifyCounts counts = densify(splats, options, rng);
    EXPECT_EQ(counts.removed, 20u);
    EXPECT_GT(counts.added, 0u);
    EXPECT_LE(splats.size(), 120u);
    EXPECT_EQ(splats.size(), cloud.size() - counts.removed + counts.added);
  }
}

TEST(ThinOut, KeepsWithinTheBudgetAndFinerWhereCamerasAre) {
  GaussianCloud cloud;
  for (int i = 0; i < 4000; ++i)
    testing::append(cloud, {.position = {0.05 * i, 0, 0}, .scale = {0.05, 0.05, 0.005}});
  const std::vector<Vec3> eyes{{0, 0, 2}};
  const GaussianCloud thin = thinOut(cloud, eyes, 300);
  EXPECT_LE(thin.size(), 300u);
  EXPECT_GT(thin.size(), 100u);
  size_t near = 0;
  for (size_t i = 0; i < thin.size(); ++i) near += thin.position[0][i] < 20;
  EXPECT_GT(near, thin.size() / 4);  // a tenth of the splats, a quarter of those left
  EXPECT_EQ(thinOut(cloud, eyes, 5000), cloud);
}

}  // namespace
}  // namespace gs
