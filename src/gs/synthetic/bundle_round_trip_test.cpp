// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gs/bundle/read_bundle.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/hash.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/edit_files.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs/synthetic/random_bundle.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

TEST(Bundle, TheMinimalBundleHasNoFindingAtAll) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  const ValidationReport report = validateBundle(dir / "world");
  EXPECT_TRUE(report.isValid());
  EXPECT_TRUE(report.findings.empty()) << toText(report);
}

TEST(Bundle, WhatIsWrittenIsReadBackBitForBit) {
  const testing::TempDir dir;
  Rng rng(2026);
  for (int round = 0; round < 60; ++round) {
    const WorldBundle bundle = makeRandomBundle(rng);
    writeBundle(dir / "world", bundle);
    const InspectedBundle read = inspectBundle(dir / "world");
    ASSERT_TRUE(read.report.isValid()) << toText(read.report);
    ASSERT_TRUE(read.bundle == bundle) << "round " << round;
  }
}

TEST(Bundle, TheSameBundleGivesTheSameBytes) {
  const testing::TempDir dir;
  Rng rng(7);
  const WorldBundle bundle = makeRandomBundle(rng);
  writeBundle(dir / "a", bundle);
  writeBundle(dir / "b", bundle);
  for (const auto& entry : fs::recursive_directory_iterator(dir / "a")) {
    if (!entry.is_regular_file()) continue;
    const fs::path other = dir / "b" / fs::relative(entry.path(), dir / "a");
    EXPECT_EQ(hexDigest(HashKind::Md5, *openFile(entry.path())),
              hexDigest(HashKind::Md5, *openFile(other)))
        << other;
  }
}

TEST(Bundle, AnInvalidBundleReplacesNothing) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  WorldBundle bad = makeMinimalBundle();
  bad.timebase.simulation.dt = -1;
  bad.index.scene_id = "bad";
  try {
    writeBundle(dir / "world", bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::ValidationFailed);
  }
  EXPECT_EQ(readBundle(dir / "world").index.scene_id, "minimal_test");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

TEST(Bundle, AMissingDirectoryIsNotFound) {
  const testing::TempDir dir;
  try {
    readBundle(dir / "absent");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::BundleNotFound);
  }
}

TEST(Bundle, OldKeysOfTheGeometryAreUnderstood) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  edit::replaceText(dir / "world" / "world.yaml", "heightmap:", "heightmap_bin:");
  edit::replaceText(dir / "world" / "world.yaml", "heightmap_meta:", "heightmap_yaml:");
  edit::replaceText(dir / "world" / "world.yaml", "drivable:", "drivable_geojson:");
  EXPECT_TRUE(readBundle(dir / "world") == makeMinimalBundle());
}

TEST(Bundle, OneReportNamesTheProblemsOfSeveralFilesWithTheirLines) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  edit::replaceText(dir / "world" / "sim" / "timebase.yaml", "dt: 0.01", "dt: -1");
  edit::replaceText(dir / "world" / "sensors" / "calibration.yaml", "fx: 500.0", "fx: 0");
  edit::removeLine(dir / "world" / "sensors" / "calibration.yaml", "rate_hz: 20.0");
  fs::remove(dir / "world" / "metadata.json");
  const ValidationReport report = validateBundle(dir / "world");
  EXPECT_TRUE(report.has("timebase.dt"));
  EXPECT_TRUE(report.has("calibration.focal_length"));
  EXPECT_TRUE(report.has("document.missing_key"));
  EXPECT_TRUE(report.has("file.missing"));
  for (const Finding& finding : report.findings) {
    if (finding.rule->id == "timebase.dt") {
      EXPECT_EQ(finding.line, 3);
    }
  }
}

TEST(Bundle, WithoutMetadataAWorldCanBeDrivenInButIsNotFinished) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  fs::remove(dir / "world" / "metadata.json");
  EXPECT_FALSE(validateBundle(dir / "world").isValid());

  const auto [bundle, report] = inspectBundle(dir / "world", MissingMetadata::IsAWarning);
  EXPECT_TRUE(report.isValid());
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().rule->id, "file.missing_optional");
  const Metadata& metadata = bundle.metadata;
  EXPECT_EQ(metadata.scene_id, "minimal_test");
  EXPECT_EQ(metadata.coordinate_system.base_link_frame, "base_link");
  EXPECT_EQ(metadata.sensors.cameras, std::vector<std::string>{"front"});
  EXPECT_EQ(metadata.sensors.lidars, std::vector<std::string>{"top"});
  // From the heightmap, where one sample of 0.1 m is missing to 12.8 m, and the splats around it.
  EXPECT_LE(metadata.spatial_extent.min_x, bundle.heightmap.origin_x);
  EXPECT_LT(metadata.spatial_extent.min_z, metadata.spatial_extent.max_z);
}

TEST(Bundle, AFolderThatIsNoWorldIsNotSaidToNameItself) {
  const testing::TempDir dir;
  const ValidationReport report = validateBundle(dir.path());
  ASSERT_TRUE(report.has("file.missing"));
  EXPECT_EQ(report.findings.front().message, "it is not there: is this folder a world bundle?");
}

TEST(Bundle, AWorldMayBeReadThroughASymbolicLinkInsideItself) {
  const testing::TempDir dir;
  writeBundle(dir / "world", makeMinimalBundle());
  fs::rename(dir / "world" / "metadata.json", dir / "world" / "real.json");
  fs::create_symlink("real.json", dir / "world" / "metadata.json");
  fs::create_directory_symlink("world", dir / "link");
  EXPECT_TRUE(readBundle(dir / "link") == makeMinimalBundle());
}

}  // namespace
}  // namespace gs
