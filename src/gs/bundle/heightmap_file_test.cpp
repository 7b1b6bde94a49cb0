// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/heightmap_file.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/read_fields.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

Heightmap tiny() {
  return {.origin_x = -14.25,
          .origin_y = -64,
          .origin_z = 0.5,
          .resolution = 0.1,
          .width = 3,
          .height = 2,
          .samples = {0.1f, -2, kHole, 4, 5, 6}};
}

HeightmapMeta metaFrom(std::string_view text, std::vector<Problem>& problems) {
  const auto root = parseDocument(text, DocumentFormat::Yaml, problems);
  return root ? readFields<HeightmapMeta>(*root, problems) : HeightmapMeta{};
}

std::string problemOf(const HeightmapMeta& meta, std::string_view bytes) {
  try {
    readHeightmapSamples(*openMemory(asBytes(bytes), "heightmap.bin"), meta);
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::HeightmapInvalid);
    EXPECT_EQ(error.report().component, "heightmap");
    return error.report().details.text("problem");
  }
  return "";
}

TEST(HeightmapFile, KeepsEverySampleAndTheMeta) {
  const testing::TempDir dir;
  writeHeightmap(tiny(), dir / "heightmap.bin", dir / "heightmap.yaml");
  std::vector<Problem> problems;
  const HeightmapMeta meta = metaFrom(readTextFile(dir / "heightmap.yaml", 1000), problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(meta, metaOf(tiny()));
  EXPECT_EQ(meta.min_height, -2.0);
  EXPECT_EQ(meta.max_height, 6.0);
  EXPECT_EQ(readHeightmapSamples(*openFile(dir / "heightmap.bin"), meta), tiny());
}

TEST(HeightmapFile, ReadsTheExampleOfTheSpecification) {
  std::vector<Problem> problems;
  const HeightmapMeta meta = metaFrom(
      "version: \"1.0.0\"\nwidth: 2048\nheight: 2048\nresolution: 0.1\n"
      "origin:\n  x: -100.0\n  y: -100.0\n  z: 0.0\nmin_height: -5.0\nmax_height: 15.0\n",
      problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(meta.width, 2048);
  EXPECT_EQ(meta.origin.y, -100.0);
  EXPECT_EQ(meta.max_height, 15.0);
}

TEST(HeightmapFile, AsksForEveryKeyThatIsNeeded) {
  std::vector<Problem> problems;
  metaFrom("min_height: 1\n", problems);
  std::vector<std::string> missing;
  for (const Problem& problem : problems) missing.push_back(problem.path);
  EXPECT_EQ(missing,
            (std::vector<std::string>{"version", "width", "height", "resolution", "origin"}));
}

TEST(HeightmapFile, RefusesBytesThatTheMetaDoesNotDescribe) {
  HeightmapMeta meta = metaOf(tiny());
  EXPECT_EQ(problemOf(meta, std::string(24, '\0')), "");
  EXPECT_EQ(problemOf(meta, std::string(23, '\0')), "size");
  EXPECT_EQ(problemOf(meta, std::string(25, '\0')), "size");
  EXPECT_EQ(problemOf(meta, ""), "size");
  meta.width = meta.height = std::numeric_limits<int>::max();
  EXPECT_EQ(problemOf(meta, std::string(4, '\0')), "size");
}

TEST(HeightmapFile, RefusesAGridThatCannotBe) {
  HeightmapMeta meta = metaOf(tiny());
  meta.width = -3;
  EXPECT_EQ(problemOf(meta, std::string(24, '\0')), "grid");
  meta = metaOf(tiny());
  meta.height = 0;
  EXPECT_EQ(problemOf(meta, ""), "grid");
  meta = metaOf(tiny());
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    meta.resolution = bad;
    EXPECT_EQ(problemOf(meta, std::string(24, '\0')), "resolution");
  }
  meta = metaOf(tiny());
  meta.origin.z = HUGE_VAL;
  EXPECT_EQ(problemOf(meta, std::string(24, '\0')), "origin");
}

TEST(HeightmapFile, LeavesTheRangeOutWhenNothingIsKnown) {
  const Heightmap unknown{.resolution = 1, .width = 1, .height = 1, .samples = {kHole}};
  EXPECT_FALSE(metaOf(unknown).min_height);
  EXPECT_FALSE(metaOf(unknown).max_height);
}

}  // namespace
}  // namespace gs
