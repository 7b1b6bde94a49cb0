// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs_builder/ego_mask.hpp"
#include "gs_builder/lidar_in_image.hpp"
#include "gs_builder/seen_splats.hpp"
#include "gs_builder/trainers/native_trainer.hpp"
#include "gs_builder/training_checkpoint.hpp"
#include "gs_builder/training_presets.hpp"
#include "gs_builder/training_recorder.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;

TEST(TrainingCheckpoint, ComesBackAsItWasAndOnlyTheLastCanBeGoneOnFrom) {
  const gs::testing::TempDir dir;
  gs::Image8 sky(4, 2, 3);
  for (size_t i = 0; i < sky.pixels.size(); ++i) sky.pixels[i] = static_cast<uint8_t>(9 * i);
  const gs::GaussianCloud cloud = gs::testing::randomCloud(7, 2, 1);
  EXPECT_FALSE(findResumable(dir.path() / "checkpoints"));
  for (const int iteration : {700, 1500})
    writeCheckpoint(dir.path() / "checkpoints",
                    {.iteration = iteration, .cloud = cloud, .sky = sky, .state = "state"});
  writeCheckpoint(dir.path() / "checkpoints", {.iteration = 1600, .cloud = cloud});
  EXPECT_THAT(listCheckpoints(dir.path() / "checkpoints"), ElementsAre(700, 1500, 1600));
  const auto last = findResumable(dir.path() / "checkpoints");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->iteration, 1500);
  EXPECT_EQ(last->state, "state");
  EXPECT_EQ(last->cloud, cloud);
  EXPECT_EQ(last->sky, sky);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "checkpoints/iteration_700/state.bin"));
  EXPECT_EQ(readCheckpoint(dir.path() / "checkpoints", 700).cloud, cloud);
  EXPECT_THROW(readCheckpoint(dir.path() / "checkpoints", 800), gs::Error);
}

TEST(TrainingReport, NamesTheBestIterationAndTheLaterOneOfEquals) {
  TrainingReport report;
  report.add({.iteration = 200, .psnr = 26, .held_out_images = 24});
  report.add({.iteration = 100, .psnr = 25, .held_out_images = 24});
  EXPECT_EQ(report.best_iteration, 200);
  report.add({.iteration = 300, .psnr = 26, .held_out_images = 24});
  report.add({.iteration = 400, .psnr = 24, .held_out_images = 24});
  EXPECT_EQ(report.best_iteration, 300);
  EXPECT_EQ(report.best_psnr, 26);
  EXPECT_EQ(report.iterations.front().iteration, 100);
}

TEST(TrainingReport, NeverPrefersACheckpointThatNobodyMeasured) {
  const gs::testing::TempDir dir;
  const auto file = dir.path() / "training_report.json";
  // As an interrupted training left it before checkpoints were measured: by its own figure, of
  // small images, the early one would win.
  gs::writeFile(file, R"({"version": "1.0.0", "best_iteration": 825, "best_psnr": 24.5,
    "iterations": [{"iteration": 825, "psnr": 24.5, "train_psnr": 24.5},
                   {"iteration": 7000, "psnr": 18.7}]})");
  TrainingReport report = readTrainingReport(file);
  EXPECT_EQ(report.best_iteration, 7000);  // nothing is known of either: the longer trained one
  report.add({.iteration = 21543, .psnr = 19.0, .held_out_images = 24});
  EXPECT_EQ(report.best_iteration, 21543);
  EXPECT_EQ(report.best_psnr, 19.0);
  report.add({.iteration = 25000, .psnr = 18.9, .held_out_images = 24});
  EXPECT_EQ(report.best_iteration, 21543);
}

TEST(TrainingRecorder, TakesUpWhatAnInterruptedRunLeftAndForgetsTheRest) {
  const gs::testing::TempDir dir;
  {
    TrainingRecorder recorder(dir.path(), {.seed = 7});
    recorder.add({.iteration = 100, .loss = 0.3, .seconds = 10});
    recorder.addCheckpoint({.iteration = 100, .psnr = 21});
    recorder.add({.iteration = 200, .loss = 0.2, .seconds = 20});
    recorder.addCheckpoint({.iteration = 200, .psnr = 22});
    recorder.save();
  }
  TrainingRecorder recorder(dir.path(), {.seed = 7});
  recorder.forgetAfter(150);
  EXPECT_EQ(recorder.report.best_iteration, 100);
  EXPECT_EQ(recorder.report.training_time_sec, 10);
}

TEST(TrainingPresets, AreConfigurationsThatHaveNothingWrong) {
  int before = 0;
  for (const auto quality :
       {TrainingQuality::Draft, TrainingQuality::Standard, TrainingQuality::High}) {
    TrainingConfig config;
    applyPreset(quality, config);
    EXPECT_TRUE(problemsIn(config).empty());
    EXPECT_EQ(config.output.save_iterations.back(), config.training.iterations);
    EXPECT_GT(config.training.iterations, before);
    before = config.training.iterations;
    const gs::TrainerOptions options = trainerOptions(config);
    EXPECT_EQ(options.iterations, config.training.iterations);
    EXPECT_EQ(options.max_gaussians, static_cast<size_t>(config.training.native.max_gaussians));
  }
}

gs::Camera smallCamera() {
  return {
      .width = 200, .height = 120, .intrinsics = {.fx = 100, .fy = 100, .cx = 99.5, .cy = 59.5}};
}

// Camera axes in the map: x right is -y, y down is -z, z forward is +x.
gs::Rigid3 lookingAlongX(double x = 0) {
  return {gs::Quat(0.5, -0.5, 0.5, -0.5), gs::Vec3(x, 0, 1.6)};
}

TEST(LidarInImage, LeavesOutWhatOthersHideButNotTheRoad) {
  // A wall at 5 m in lines 10 pixels apart, one point behind it, and a road that comes nearer
  // downwards.
  std::vector<SeenPoint> points;
  for (int y = 20; y <= 50; y += 10)
    for (int x = 20; x < 100; x += 4) points.push_back({gs::Vec2(x, y), 5.0, 0});
  points.push_back({gs::Vec2(60, 35), 20.0, 777});
  for (int y = 70; y <= 110; y += 10)
    for (int x = 20; x < 180; x += 4) points.push_back({gs::Vec2(x, y), 300.0 / (y - 60), 1});
  const auto seen = withoutHidden(points, {200, 120}, 10);
  EXPECT_EQ(seen.size(), points.size() - 1);
  for (const SeenPoint& point : seen) EXPECT_NE(point.index, 777u);
}

TEST(LidarInImage, InterpolatesDepthOfAPlaneExactlyAndNotAcrossEdges) {
  gs::ImageF depth(40, 40, 1);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x)
      depth.at(x, y)[0] = x < 30 ? 100.0f / static_cast<float>(y + 10) : 90.0f;
  EXPECT_NEAR(depthAt(depth, {10, 20.25}), 100.0 / 30.25, 1e-4);
  EXPECT_NEAR(depthAt(depth, {29.4, 20}), 100.0 / 30, 1e-4);
  EXPECT_NEAR(depthAt(depth, {29.6, 20}), 90, 1e-4);
}

TEST(LidarInImage, MasksAsMuchAroundAMoverAsItsPointsAreApart) {
  EXPECT_TRUE(maskOfMovers({200, 120}, {}, 100).pixels.empty());
  // At 5 m, 0.35 m are 7 pixels of this lens; masks are drawn in steps of four.
  const gs::Image8 mask = maskOfMovers({200, 120}, {{gs::Vec2(100, 60), 5.0, 0}}, 100);
  EXPECT_EQ(*mask.at(100, 60), 0);
  EXPECT_EQ(*mask.at(96, 66), 0);
  EXPECT_EQ(*mask.at(84, 60), 255);
  EXPECT_EQ(*mask.at(100, 80), 255);
}

TEST(LidarInImage, TakesTheNearestScanThenItsNeighbours) {
  const auto at = [](int ms) { return gs::Stamp{ms * int64_t{1'000'000}}; };
  const std::vector<gs::Stamp> stamps{at(0), at(100), at(200), at(300)};
  EXPECT_THAT(scansAround(stamps, at(130)), ElementsAre(1, 0, 2));
  EXPECT_THAT(scansAround(stamps, at(-20)), ElementsAre(0, 1));
  EXPECT_THAT(scansAround(stamps, at(310)), ElementsAre(3, 2));
  EXPECT_TRUE(scansAround(stamps, at(500)).empty());
  EXPECT_TRUE(scansAround({}, at(0)).empty());
}

gs::TrainingSet oneView() {
  return {.images = {{.camera = smallCamera(), .map_from_camera = lookingAlongX()}}};
}

TEST(KeepSeen, DropsWhatOnlyMaskedPixelsShow) {
  gs::GaussianCloud cloud = gs::testing::randomCloud(2, 1, 5);
  for (size_t i = 0; i < 2; ++i) {
    cloud.position[0][i] = 10;
    cloud.position[1][i] = i == 0 ? 3.0f : -3.0f;  // in the left half and in the right half
    cloud.position[2][i] = 1.6f;
    for (auto& scales : cloud.log_scale) scales[i] = -2;
    cloud.logit_opacity[i] = 1;
  }
  gs::TrainingSet set = oneView();
  set.load_mask = [](size_t) {
    gs::Image8 mask(200, 120, 1);
    for (int y = 0; y < 120; ++y)
      for (int x = 100; x < 200; ++x) *mask.at(x, y) = 255;
    return mask;
  };
  const auto kept = keepSeen(cloud, set);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.position[1][0], -3);
  // A second image that shows the place free keeps both.
  set.images.push_back(set.images.front());
  set.load_mask = [half = set.load_mask](size_t i) { return i == 0 ? half(0) : gs::Image8(); };
  EXPECT_EQ(keepSeen(cloud, set).size(), 2u);
}

TEST(KeepSeen, DropsWhatNoCameraLooksAtAndWhatIsTooFaint) {
  gs::GaussianCloud cloud = gs::testing::randomCloud(4, 1, 5);
  const std::vector<gs::Vec3> places = {{10, 0, 1.6}, {-10, 0, 1.6}, {10, 0, 1.6}, {10, 12, 1.6}};
  for (size_t i = 0; i < 4; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      cloud.position[axis][i] = static_cast<float>(places[i][axis]);
      cloud.log_scale[axis][i] = -2;
    }
    cloud.logit_opacity[i] = i == 2 ? -9.0f : 1.0f;
  }
  const auto kept = keepSeen(cloud, oneView());
  ASSERT_EQ(kept.size(), 1u);  // behind, too faint, and beside the image are gone
  EXPECT_EQ(kept.position[0][0], 10);
  EXPECT_EQ(kept.sh_rest[3], cloud.sh_rest[3]);
  cloud.log_scale[1][3] = std::log(1.0f);  // large enough to hang into the image
  EXPECT_EQ(keepSeen(cloud, oneView()).size(), 2u);
}

TEST(SeenSplats, LeavesOutWhatStandsWhereSomethingDrove) {
  gs::GaussianCloud cloud;
  cloud.resize(2);
  cloud.position[0] = {5, 5};
  cloud.position[1] = {0, 3};  // in the way, beside it
  cloud.position[2] = {1, 1};
  gs::MoversWay::Positions moving;
  for (float x = 0; x < 10; x += 0.1f) moving.push_back({x, 0, 1.5f});
  gs::Heightmap ground{.origin_x = -10, .origin_y = -10, .resolution = 20, .width = 2, .height = 2};
  ground.samples.assign(4, 0.0f);
  const auto kept = withoutMovers(cloud, gs::MoversWay(moving, {}, ground));
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.position[1][0], 3);
}

TEST(EgoMask, IsWhatReachesUpFromTheLowerEdgeAndNeverChanges) {
  gs::TrainingSet set;
  for (int i = 0; i < 20; ++i)
    set.images.push_back(
        {.camera_id = "front", .camera = smallCamera(), .map_from_camera = lookingAlongX(3.0 * i)});
  // A bonnet in the lower 24 rows, a still sky above, and a world that changes between.
  set.load_image = [](size_t i) {
    gs::Image8 image(200, 120, 3);
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 200; ++x)
        for (int c = 0; c < 3; ++c)
          image.at(x, y)[c] = static_cast<uint8_t>(
              y >= 96  ? 40 + x / 4
              : y < 40 ? 220
                       : 60 + (7 * x + 13 * y + 37 * static_cast<int>(i)) % 120);
    return image;
  };
  const EgoMasks masks = findEgoMasks(set);
  ASSERT_TRUE(masks.contains("front"));
  EXPECT_EQ(*masks.at("front").at(100, 110), 255);
  EXPECT_EQ(*masks.at("front").at(100, 80), 0);
  EXPECT_EQ(*masks.at("front").at(100, 10), 0);
  addEgoMasks(masks, set);
  EXPECT_EQ(*set.load_mask(3).at(100, 110), 0);
  EXPECT_EQ(*set.load_mask(3).at(100, 80), 255);
  for (gs::TrainingImage& image : set.images) image.map_from_camera = lookingAlongX();
  EXPECT_TRUE(findEgoMasks(set).empty());  // it never moved
}

}  // namespace
}  // namespace gs_builder
