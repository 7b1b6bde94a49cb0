// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/world_builder/commands.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace apps {
namespace {

using ::testing::HasSubstr;

// Runs gs-world-builder's command line and gives back what it prints on stdout.
std::string run(const std::string& arguments) {
  CLI::App app;
  addImportCommand(app);
  addExportCommand(app);
  ::testing::internal::CaptureStdout();
  try {
    app.parse(arguments);
  } catch (...) {
    ::testing::internal::GetCapturedStdout();
    throw;
  }
  return ::testing::internal::GetCapturedStdout();
}

TEST(SplatCommands, ExportAndImportGiveBackTheWorldsFile) {
  const gs::testing::TempDir dir;
  const auto bundle_file = dir / "world/gaussians/background.splat.ply";
  gs::WorldBundle world = gs::makeMinimalBundle();
  world.gaussians = gs::testing::randomCloud(50, 2, 1);
  gs::writeBundle(dir / "world", world);
  const std::string at = dir.path().string();
  EXPECT_THAT(run("export " + at + "/world --output " + at + "/out.ply"), HasSubstr("50 splats"));
  EXPECT_THAT(run("import " + at + "/out.ply --output " + at + "/back.ply"),
              HasSubstr("50 splats, SH degree 2"));
  EXPECT_EQ(gs::readTextFile(dir / "back.ply", 1 << 20), gs::readTextFile(bundle_file, 1 << 20));
}

TEST(SplatCommands, ImportPrintsJsonForMachines) {
  const gs::testing::TempDir dir;
  const std::string at = dir.path().string();
  gs::writeGaussianPly(dir / "a.ply", gs::testing::randomCloud(3, 0, 1));
  const auto json =
      nlohmann::json::parse(run("import " + at + "/a.ply --json --output " + at + "/b.ply"));
  EXPECT_EQ(json.at("count"), 3);
  EXPECT_EQ(json.at("dropped_non_finite"), 0);
  EXPECT_EQ(json.at("extent").at("min").size(), 3u);
}

TEST(SplatCommands, ReplaceAFileOnlyWhenAsked) {
  const gs::testing::TempDir dir;
  const std::string at = dir.path().string();
  gs::writeGaussianPly(dir / "a.ply", gs::testing::randomCloud(3, 0, 1));
  for (const std::string command : {"export ", "import "}) {
    EXPECT_THROW(run(command + at + "/a.ply --output " + at + "/a.ply"), gs::Error);
    EXPECT_NO_THROW(run(command + at + "/a.ply --force --output " + at + "/b.ply"));
  }
}

TEST(SplatCommands, ImportRefusesAFileWithoutUsableSplats) {
  const gs::testing::TempDir dir;
  const std::string at = dir.path().string();
  gs::writeGaussianPly(dir / "a.ply", gs::testing::randomCloud(0, 0, 1));
  EXPECT_THROW(run("import " + at + "/a.ply --output " + at + "/b.ply"), gs::Error);
  EXPECT_FALSE(std::filesystem::exists(dir / "b.ply"));
}

}  // namespace

}  // namespace apps
