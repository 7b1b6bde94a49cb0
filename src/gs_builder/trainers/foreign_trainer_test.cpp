// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/foreign_trainer.hpp"

#include <csignal>
#include <unistd.h>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/testing/torch_zip.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DriveStudioLine, GivesIterationLossPsnrAndSplats) {
  const auto line = parseDriveStudioLine(
      "I20260301 10:00:00 root logging.py:110]   [  500/30001]  eta: 0:10:02  elapsed: 0:00:12  "
      "train_metrics/psnr: 22.500000 (20.1)  train_stats/gaussian_num_Background: 950000.000000 "
      "(940000.0)  losses/rgb_loss: 0.030000 (0.04)  losses/ssim_loss: 0.010000 (0.02)");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->iteration, 500);
  EXPECT_EQ(line->iterations, 30001);
  EXPECT_DOUBLE_EQ(*line->psnr_db, 22.5);
  EXPECT_DOUBLE_EQ(*line->loss, 0.04);
  EXPECT_EQ(line->gaussians, 950000u);
  EXPECT_FALSE(parseDriveStudioLine("Loading camera 0"));
  EXPECT_FALSE(parseDriveStudioLine("[1/0] eta:"));
  EXPECT_FALSE(parseDriveStudioLine("[99999999999999999999/3] eta:"));
}

TEST(CountingLine, IsFoundByTheNumberOfIterations) {
  EXPECT_EQ(parseCountingLine("Training:  40%|####  | 1200/3000 [00:10<00:15, loss=1/2]", 3000)
                ->iteration,
            1200);
  EXPECT_EQ(parseCountingLine("step 7 / 3000", 3000)->iteration, 7);
  EXPECT_FALSE(parseCountingLine("loaded 12/30 images", 3000));
  EXPECT_FALSE(parseCountingLine("/3000", 3000));
}

TEST(TemplateCommand, FillsPathsInAsSingleWords) {
  TrainingConfig config;
  config.training.iterations = 12;
  config.training.command.line = "train {dataset} --out={output} -n {iterations} {seed}";
  EXPECT_THAT(templateCommand(config, "/a b/{seed}", "/o'k").arguments,
              ElementsAre("/bin/sh", "-c", "train '/a b/{seed}' --out='/o'\\''k' -n 12 42"));
}

TEST(ChildProcess, HandsOverLinesAndHowItEnded) {
  const StopRequest stop;
  std::vector<std::string> lines;
  const ChildEnd end =
      runChild({{"/bin/sh", "-c", "echo one; echo two >&2; printf 'bar 1\\rbar 2\\n'; exit 3"}},
               stop, [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_THAT(lines, ElementsAre("one", "two", "bar 1", "bar 2"));
  EXPECT_FALSE(end.isSuccess());
  EXPECT_EQ(end.describe(), "ended with exit code 3");
  const ChildEnd killed =
      runChild({{"/bin/sh", "-c", "kill -9 $$"}}, stop, [](std::string_view) {});
  EXPECT_EQ(killed.describe(), "was ended by signal 9 (Killed)");
  EXPECT_TRUE(runChild({{"true"}}, stop, [](std::string_view) {}).isSuccess());
}

TEST(ChildProcess, SaysWhatCannotBeStarted) {
  const StopRequest stop;
  try {
    runChild({{"/no/such/trainer"}}, stop, [](std::string_view) {});
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::TrainingFailed);
    EXPECT_THAT(error.report().message, HasSubstr("/no/such/trainer"));
  }
}

TEST(ChildProcess, AStopRequestEndsIt) {
  const StopRequest stop;
  // Without a shell in between: it may swallow a signal while it starts a program.
  const ChildEnd end = runChild({{"/bin/sh", "-c", "echo ready; exec sleep 1000"}}, stop,
                                [](std::string_view) { ::kill(::getpid(), SIGINT); });
  EXPECT_TRUE(end.is_stopped);
  EXPECT_FALSE(end.isSuccess());
  EXPECT_EQ(end.signal, SIGINT);
}

// One splat at (1, 2, 3) of DriveStudio's world, turned a quarter round z, red towards its +x.
std::string smallCheckpoint(float mean_x) {
  using gs::testing::TorchZip;
  TorchZip zip;
  const float half = std::sqrt(0.5f);
  const auto background = TorchZip::dict(
      {{"_means", zip.tensor({mean_x, 2, 3}, {1, 3})},
       {"_scales", zip.tensor({-1, -2, -3}, {1, 3})},
       {"_quats", zip.tensor({2 * half, 0, 0, 2 * half}, {1, 4})},  // w x y z, not of unit length
       {"_features_dc", zip.tensor({0.1f, 0.2f, 0.3f}, {1, 3})},
       {"_features_rest", zip.tensor({0, 0, 0, 0, 0, 0, -0.5f, 0, 0}, {1, 3, 3})},
       {"_opacities", zip.tensor({0.7f}, {1, 1})}},
      true);
  // Faces of one colour each: +x 0.0, -x 0.2, +y 0.4, -y 0.6, +z 0.8, -z 1.0.
  std::vector<float> faces;
  for (int face = 0; face < 6; ++face)
    faces.insert(faces.end(), 12, 0.2f * static_cast<float>(face));
  const auto sky = TorchZip::dict({{"base", zip.tensor(faces, {6, 2, 2, 3})}}, true);
  return zip.file(
      TorchZip::dict({{"models", TorchZip::dict({{"Background", background}, {"Sky", sky}})},
                      {"step", gs::testing::pickledInt(30000)}}));
}

TEST(DriveStudioCheckpoint, IsCarriedIntoTheMapWithItsColorsAndItsSky) {
  const gs::testing::TempDir dir;
  const auto file = dir.path() / "checkpoint_final.pth";
  gs::writeFile(file, std::string_view(smallCheckpoint(1)));
  // DriveStudio's world is a camera that looks along +x of the map: x right, y down, z forward.
  const gs::Rigid3 map_from_world{gs::Quat(0.5, -0.5, 0.5, -0.5), gs::Vec3(10, 20, 30)};
  const ForeignResult result = readDriveStudioCheckpoint(file, map_from_world);
  EXPECT_EQ(result.iteration, 30000);
  ASSERT_EQ(result.cloud.size(), 1u);
  EXPECT_EQ(result.cloud.sh_degree, 1);
  EXPECT_NEAR(result.cloud.position[0][0], 10 + 3, 1e-5);  // forward is +x
  EXPECT_NEAR(result.cloud.position[1][0], 20 - 1, 1e-5);  // right is -y
  EXPECT_NEAR(result.cloud.position[2][0], 30 - 2, 1e-5);  // down is -z
  const gs::Quat expected =
      map_from_world.rotation * gs::Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  EXPECT_NEAR(
      std::abs(expected.dot(gs::Quat(result.cloud.rotation[3][0], result.cloud.rotation[0][0],
                                     result.cloud.rotation[1][0], result.cloud.rotation[2][0]))),
      1, 1e-6);
  // Red grew towards +x of its world, which is -y of the map: the coefficient of -y is positive.
  EXPECT_NEAR(result.cloud.sh_rest[0], 0.5, 1e-5);
  EXPECT_NEAR(result.cloud.sh_rest[1], 0, 1e-5);
  EXPECT_NEAR(result.cloud.sh_rest[2], 0, 1e-5);
  EXPECT_FLOAT_EQ(result.cloud.logit_opacity[0], 0.7f);

  // Sky: the middle of the picture is +x of the map, forward (0, 0, 1) in the world, which is
  // looked up along (x, z, -y) = (0, 1, 0): face +y. Up is (0, -1, 0), looked up along (0, 0, 1).
  ASSERT_EQ(result.sky.width, 1024);
  EXPECT_EQ(result.sky.at(512, 256)[0], 102);
  EXPECT_EQ(result.sky.at(100, 0)[0], 204);
  EXPECT_EQ(result.sky.at(768, 256)[0], 0);  // to the right: +x of the world
}

TEST(DriveStudioCheckpoint, WithoutASoundSplatIsAnError) {
  const gs::testing::TempDir dir;
  const auto file = dir.path() / "checkpoint_final.pth";
  gs::writeFile(file, std::string_view(smallCheckpoint(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_THROW(readDriveStudioCheckpoint(file, {}), gs::Error);
}

}  // namespace
}  // namespace gs_builder
