// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_ply.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gs/bundle/gaussian_rows.hpp"
#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string fileOf(const GaussianCloud& cloud) {
  const testing::TempDir dir;
  writeGaussianPly(dir / "a.ply", cloud);
  return readTextFile(dir / "a.ply", uint64_t{1} << 30);
}

GaussianCloud read(const std::string& file, const GaussianEncoding& encoding = {}) {
  return readGaussianPly(*openMemory(asBytes(file)), encoding);
}

ErrorReport reportOf(const std::string& file) {
  try {
    read(file);
  } catch (const Error& error) {
    return error.report();
  }
  ADD_FAILURE() << "it was accepted";
  return {};
}

std::string problemOf(const std::string& file) { return reportOf(file).details.text("problem"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(GaussianPly, ReadsBackWhatItWroteBitForBit) {
  // Around the sizes of a reading block (256 KiB) and of a task (16 blocks) at degree 3.
  const size_t block = (size_t{256} << 10) / 236;
  for (int degree = 0; degree <= kMaxShDegree; ++degree)
    for (const size_t count : {size_t{0}, size_t{1}, size_t{63}, size_t{65}, block - 1, block,
                               block + 1, 16 * block - 1, 16 * block + 1}) {
      const GaussianCloud cloud = testing::randomCloud(count, degree, 7 * count + degree);
      EXPECT_EQ(read(fileOf(cloud)), cloud) << count << " splats of degree " << degree;
    }
}

TEST(GaussianPly, KeepsEvenTheBitsOfNaN) {
  GaussianCloud cloud = testing::randomCloud(3, 1, 5);
  cloud.position[1][1] = std::numeric_limits<float>::quiet_NaN();
  cloud.sh_rest[4] = -std::numeric_limits<float>::infinity();
  const std::string file = fileOf(cloud);
  const testing::TempDir dir;
  writeGaussianPly(dir / "b.ply", read(file));
  EXPECT_EQ(readTextFile(dir / "b.ply", 1 << 20), file);
}

TEST(GaussianPly, ReadsTheSameForAnyNumberOfThreads) {
  const std::string file = fileOf(testing::randomCloud(50000, 2, 6));
  setThreadCount(1);
  const GaussianCloud serial = read(file);
  setThreadCount(4);
  EXPECT_EQ(read(file), serial);
  setThreadCount(0);
}

TEST(GaussianPly, WritesTheHeaderOfTheConventions) {
  const std::string file = fileOf(testing::randomCloud(2, 1, 1));
  EXPECT_THAT(file, ::testing::StartsWith(
                        "ply\nformat binary_little_endian 1.0\nelement vertex 2\n"
                        "property float x\nproperty float y\nproperty float z\n"
                        "property float scale_0\nproperty float scale_1\nproperty float scale_2\n"
                        "property float rot_0\nproperty float rot_1\nproperty float rot_2\n"
                        "property float rot_3\nproperty float opacity\nproperty float f_dc_0\n"
                        "property float f_dc_1\nproperty float f_dc_2\nproperty float f_rest_0\n"));
}

TEST(GaussianPly, DescribesAFileWithoutReadingItsSplats) {
  const std::string file = fileOf(testing::randomCloud(5, 2, 1)) + "tail";
  const GaussianPlyInfo info = inspectGaussianPly(*openMemory(asBytes(file)));
  EXPECT_EQ(info.count, 5u);
  EXPECT_EQ(info.sh_degree, 2);
  EXPECT_TRUE(info.has_specified_order);
  EXPECT_TRUE(info.ignored.empty());
  EXPECT_EQ(info.trailing_bytes, 4u);
}

TEST(GaussianPly, TakesPropertiesInAnyOrderAndIgnoresOthers) {
  const GaussianCloud cloud = testing::randomCloud(100, 1, 9);
  GaussianRowLayout layout;  // the rest backwards, then normals, then the scalars backwards
  for (size_t i = restCount(1); i-- > 0;) layout.names.push_back(restName(i));
  for (const char* name : {"nx", "ny", "nz"}) layout.names.emplace_back(name);
  for (size_t k = kScalarCount; k-- > 0;) {
    layout.scalar_at[k] = layout.names.size();
    layout.names.emplace_back(kScalarNames[k]);
  }
  const testing::TempDir dir;
  writeGaussianRows(dir / "odd.ply", layout, cloud);
  GaussianCloud expected = cloud;
  for (size_t i = 0; i < cloud.size(); ++i)
    std::reverse(expected.sh_rest.begin() + i * 9, expected.sh_rest.begin() + (i + 1) * 9);
  const auto source = openFile(dir / "odd.ply");
  EXPECT_EQ(readGaussianPly(*source), expected);
  EXPECT_FALSE(inspectGaussianPly(*source).has_specified_order);
  EXPECT_THAT(inspectGaussianPly(*source).ignored, ElementsAre("nx", "ny", "nz"));
}

TEST(GaussianPly, ConvertsOtherEncodingsWhileReading) {
  GaussianCloud cloud = testing::randomCloud(4, 0, 3);
  cloud.log_scale[0] = {1.f, 2.f, 0.f, 1e-3f};
  cloud.logit_opacity = {0.f, 1.f, 0.5f, 0.25f};
  const GaussianCloud linear =
      read(fileOf(cloud), {ScaleEncoding::Linear, OpacityEncoding::Linear, RotationOrder::Wxyz});
  EXPECT_FLOAT_EQ(linear.log_scale[0][0], 0.f);
  EXPECT_FLOAT_EQ(linear.log_scale[0][1], std::log(2.f));
  EXPECT_TRUE(std::isfinite(linear.log_scale[0][2]));
  EXPECT_TRUE(std::isfinite(linear.logit_opacity[0]));
  EXPECT_TRUE(std::isfinite(linear.logit_opacity[1]));
  EXPECT_FLOAT_EQ(linear.logit_opacity[0], -linear.logit_opacity[1]);
  EXPECT_FLOAT_EQ(linear.logit_opacity[2], 0.f);
  EXPECT_FLOAT_EQ(linear.logit_opacity[3], -std::log(3.f));
  EXPECT_EQ(linear.rotation[3], cloud.rotation[0]);  // w stood first
  EXPECT_EQ(linear.rotation[0], cloud.rotation[1]);
  EXPECT_EQ(linear.position, cloud.position);
}

TEST(GaussianPly, NamesWhatIsWrong) {
  const std::string good = fileOf(testing::randomCloud(2, 1, 1));
  EXPECT_EQ(problemOf("no ply"), "header");
  EXPECT_EQ(problemOf(replaced(good, "binary_little_endian", "ascii")), "format");
  EXPECT_EQ(problemOf(replaced(good, "binary_little_endian", "binary_big_endian")), "format");
  EXPECT_EQ(problemOf(replaced(good, "element vertex", "element points")), "property_missing");
  EXPECT_EQ(problemOf(replaced(good, "float opacity", "float opaque")), "property_missing");
  EXPECT_EQ(problemOf(replaced(good, "float opacity", "int opacity")), "property_missing");
  EXPECT_EQ(problemOf(replaced(good, "float f_rest_8", "float extra")), "sh_count");
  EXPECT_EQ(problemOf(replaced(good, "float f_rest_8", "float f_rest_9")), "sh_count");
  EXPECT_EQ(problemOf(good.substr(0, good.size() - 1)), "truncated");
  EXPECT_EQ(problemOf(replaced(good, "vertex 2", "vertex 1000000000000")), "truncated");
  EXPECT_EQ(problemOf(replaced(good, "vertex 2", "vertex 18446744073709551615")), "truncated");
}

TEST(GaussianPly, PointsToTheImportCommandForOtherFormats) {
  const std::string good = fileOf(testing::randomCloud(2, 0, 1));
  const ErrorReport report = reportOf(replaced(good, "binary_little_endian", "ascii"));
  EXPECT_EQ(report.code, ErrorCode::InputInvalid);
  EXPECT_EQ(report.component, "gaussians");
  EXPECT_THAT(report.suggestion, HasSubstr("gs-world-builder import"));
}

TEST(GaussianPly, LeavesNothingBehindWhenItCannotWrite) {
  const testing::TempDir dir;
  EXPECT_THROW(writeGaussianPly(dir / "missing" / "a.ply", testing::randomCloud(1, 0, 1)), Error);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace gs
