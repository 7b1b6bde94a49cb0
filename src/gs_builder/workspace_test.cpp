// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/workspace.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs_builder {
namespace {

namespace fs = std::filesystem;

TEST(Workspace, AStageWithoutAStampIsNotFinished) {
  const gs::testing::TempDir dir;
  const Workspace workspace(dir / "w");
  workspace.clear("00_mcap_ingest");
  const fs::path folder = workspace.dir("00_mcap_ingest");
  gs::writeFile(folder / "a.txt", "x");
  EXPECT_FALSE(findStamp(folder));
  writeStamp(folder, {.key = "k", .fingerprint = fingerprintOf(folder), .warnings = {"careful"}});
  const auto stamp = findStamp(folder);
  ASSERT_TRUE(stamp);
  EXPECT_EQ(stamp->key, "k");
  EXPECT_EQ(stamp->fingerprint, fingerprintOf(folder));  // the stamp itself does not count
  EXPECT_THAT(stamp->warnings, ::testing::ElementsAre("careful"));
  workspace.clear("00_mcap_ingest");
  EXPECT_FALSE(findStamp(folder));
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(Workspace, ADamagedStampIsNone) {
  const gs::testing::TempDir dir;
  for (const char* text : {"", "{", "[]", "{\"key\": 3}", "{\"key\": \"\"}"}) {
    gs::writeFile(dir / "stage.json", text);
    EXPECT_FALSE(findStamp(dir.path())) << text;
  }
}

TEST(Workspace, TheFingerprintFollowsNamesSizesAndWrites) {
  const gs::testing::TempDir dir;
  gs::writeFile(dir / "a", "x");
  const std::string first = fingerprintOf(dir.path());
  EXPECT_EQ(fingerprintOf(dir.path()), first);
  fs::last_write_time(dir / "a", fs::last_write_time(dir / "a") + std::chrono::seconds(1));
  const std::string touched = fingerprintOf(dir.path());
  EXPECT_NE(touched, first);
  fs::rename(dir / "a", dir / "b");
  EXPECT_NE(fingerprintOf(dir.path()), touched);
}

TEST(Workspace, FoldersThatAreMissingComeFromTheOtherWorkspace) {
  const gs::testing::TempDir dir;
  fs::create_directories(dir / "in/00_mcap_ingest");
  const Workspace workspace(dir / "out", dir / "in");
  EXPECT_EQ(workspace.existing("00_mcap_ingest"), dir / "in/00_mcap_ingest");
  workspace.clear("00_mcap_ingest");
  EXPECT_EQ(workspace.existing("00_mcap_ingest"), dir / "out/00_mcap_ingest");
}

TEST(WorkspaceLock, KeepsASecondBuildOut) {
  const gs::testing::TempDir dir;
  {
    const WorkspaceLock lock(dir / "w");
    EXPECT_THROW(WorkspaceLock(dir / "w"), gs::Error);
  }
  const WorkspaceLock again(dir / "w");
}

}  // namespace
}  // namespace gs_builder
