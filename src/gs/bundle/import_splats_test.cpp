// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/import_splats.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/gaussian_rows.hpp"
#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/testing/zipped.hpp"

namespace gs {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::zipped;

ImportedSplats import(const std::string& file, const std::string& name = "cloud.ply",
                      const ImportOptions& options = {}) {
  return importSplats(*openMemory(asBytes(file), name), options);
}

std::string messageOf(const std::string& file, const std::string& name = "cloud.ply") {
  try {
    import(file, name);
  } catch (const Error& error) {
    EXPECT_FALSE(error.report().suggestion.empty());
    return error.report().message;
  }
  return "accepted";
}

std::string exported(const GaussianCloud& cloud) {
  const testing::TempDir dir;
  exportInriaPly(dir / "a.ply", cloud);
  return readTextFile(dir / "a.ply", uint64_t{1} << 30);
}

// The same splats as text, or with the bytes of every number reversed.
std::string asAscii(const GaussianCloud& cloud) {
  std::ostringstream out;
  out.precision(9);
  out << "ply\nformat ascii 1.0\nelement vertex " << cloud.size() << "\n";
  for (const auto& name : kScalarNames) out << "property double " << name << "\n";
  for (size_t i = 0; i < restCount(cloud.sh_degree); ++i)
    out << "property float " << restName(i) << "\n";
  out << "end_header\n";
  for (size_t i = 0; i < cloud.size(); ++i) {
    for (const auto* array : scalarArrays(cloud)) out << (*array)[i] << ' ';
    for (size_t k = 0; k < restCount(cloud.sh_degree); ++k)
      out << cloud.sh_rest[i * restCount(cloud.sh_degree) + k] << ' ';
    out << '\n';
  }
  return out.str();
}

TEST(ImportSplats, KeepsEveryBitOfWhatExportWrote) {
  for (int degree = 0; degree <= kMaxShDegree; ++degree) {
    const GaussianCloud cloud = testing::randomCloud(5000, degree, 11);
    const ImportedSplats imported = import(exported(cloud));
    EXPECT_EQ(imported.cloud, cloud) << degree;
    EXPECT_EQ(imported.format, "PLY binary_little_endian");
    EXPECT_EQ(imported.normalized_rotations, 0u);
    EXPECT_THAT(imported.notes, Contains(HasSubstr("nx, ny, nz")));
  }
}

TEST(ImportSplats, ExportsTheHeaderEveryToolKnows) {
  EXPECT_THAT(
      exported(testing::randomCloud(1, 0, 1)),
      ::testing::StartsWith(
          "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\n"
          "property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
          "property float nz\nproperty float f_dc_0\nproperty float f_dc_1\n"
          "property float f_dc_2\nproperty float opacity\nproperty float scale_0\n"
          "property float scale_1\nproperty float scale_2\nproperty float rot_0\n"
          "property float rot_1\nproperty float rot_2\nproperty float rot_3\nend_header\n"));
}

TEST(ImportSplats, TakesABundlesOwnFileForWhatItIs) {
  const GaussianCloud cloud = testing::randomCloud(100, 1, 4);
  const testing::TempDir dir;
  writeGaussianPly(dir / "background.splat.ply", cloud);
  const auto source = openFile(dir / "background.splat.ply");
  EXPECT_EQ(importSplats(*source).cloud, cloud);
  const GaussianCloud forced = importSplats(*source, {.rotation = RotationOrder::Wxyz}).cloud;
  EXPECT_EQ(forced.rotation[3], cloud.rotation[0]);
}

TEST(ImportSplats, ReadsAsciiAndBigEndianAlike) {
  const GaussianCloud cloud = testing::randomCloud(300, 2, 8);
  EXPECT_EQ(import(asAscii(cloud), "a.ply", {.rotation = RotationOrder::Xyzw}).cloud, cloud);

  std::string file = exported(cloud);
  const size_t body = file.find("end_header\n") + 11;
  for (size_t at = body; at < file.size(); at += 4)
    std::reverse(file.begin() + at, file.begin() + at + 4);
  file.replace(file.find("little"), 6, "big");
  const ImportedSplats imported = import(file);
  EXPECT_EQ(imported.cloud, cloud);
  EXPECT_EQ(imported.format, "PLY binary_big_endian");
}

TEST(ImportSplats, DropsBrokenSplatsAndCountsThem) {
  GaussianCloud cloud = testing::randomCloud(6, 1, 3);
  cloud.sh_rest[1 * 9 + 8] = std::numeric_limits<float>::quiet_NaN();
  for (auto& axis : cloud.rotation) axis[3] = 0, axis[4] *= 2;
  const ImportedSplats imported = import(exported(cloud));
  EXPECT_EQ(imported.dropped_non_finite, 1u);
  EXPECT_EQ(imported.dropped_zero_rotation, 1u);
  EXPECT_EQ(imported.normalized_rotations, 1u);
  ASSERT_EQ(imported.cloud.size(), 4u);
  EXPECT_EQ(imported.cloud.position[0][1], cloud.position[0][2]);
  EXPECT_EQ(imported.cloud.sh_rest[3 * 9], cloud.sh_rest[5 * 9]);
  EXPECT_FLOAT_EQ(imported.cloud.rotation[2][2], cloud.rotation[2][4] / 2);
  EXPECT_TRUE(findDefects(imported.cloud).empty());
}

TEST(ImportSplats, UndoesTheEncodingOfSplatFiles) {
  std::string file;
  appendBytes(file, std::array{1.f, 2.f, 3.f, 1.f, std::exp(-2.f), 0.f});
  appendBytes(file, std::array<uint8_t, 8>{0, 255, 128, 255, 255, 128, 128, 128});
  const ImportedSplats imported = import(file, "Cloud.SPLAT");
  const GaussianCloud& cloud = imported.cloud;
  EXPECT_EQ(imported.format, "SPLAT");
  EXPECT_EQ(cloud.position[2][0], 3.f);
  EXPECT_FLOAT_EQ(cloud.log_scale[0][0], 0.f);
  EXPECT_FLOAT_EQ(cloud.log_scale[1][0], -2.f);
  EXPECT_TRUE(std::isfinite(cloud.log_scale[2][0]));
  EXPECT_NEAR(0.5 + 0.2820948 * cloud.sh_dc[0][0], 0.0, 1e-6);
  EXPECT_NEAR(0.5 + 0.2820948 * cloud.sh_dc[1][0], 1.0, 1e-6);
  EXPECT_GT(cloud.logit_opacity[0], 10.f);
  EXPECT_EQ(cloud.rotation[3][0], 1.f);  // 127/128, made unit
  EXPECT_EQ(imported.normalized_rotations, 1u);
}

TEST(ImportSplats, TurnsTheAxesOfSpzFilesUnlessTold) {
  std::string text = "NGSP";
  appendBytes(text, std::array<uint32_t, 2>{2, 1});
  appendBytes(text, std::array<uint8_t, 4>{1, 12, 0, 0});
  const std::array<uint8_t, 28> body{0,   16,  0,   0,   16,  0,   0,   16,  0,  // 1, 1, 1
                                     128, 128, 128, 128, 160, 160, 160,  // alpha, rgb, scale
                                     191, 191, 191,                      // x = y = z = 0.498
                                     192, 128, 64,  160, 128, 96,  144, 128, 112};
  appendBytes(text, body);
  const std::string file = zipped(text);
  const GaussianCloud kept = import(file, "a.spz", {.keeps_spz_axes = true}).cloud;
  const GaussianCloud turned = import(file, "a.spz").cloud;
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_EQ(turned.sh_degree, 1);
  const float sign[3] = {1, -1, -1};
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(kept.position[axis][0], 1.f);
    EXPECT_EQ(turned.position[axis][0], sign[axis]);
    EXPECT_EQ(turned.rotation[axis][0], sign[axis] * kept.rotation[axis][0]);
  }
  // Channel after channel; the coefficients of band 1 belong to y, z, x.
  EXPECT_THAT(kept.sh_rest,
              ::testing::ElementsAre(0.5f, 0.25f, 0.125f, 0.f, 0.f, 0.f, -0.5f, -0.25f, -0.125f));
  EXPECT_THAT(turned.sh_rest,
              ::testing::ElementsAre(-0.5f, -0.25f, 0.125f, 0.f, 0.f, 0.f, 0.5f, 0.25f, -0.125f));
}

TEST(ImportSplats, NamesTheKindsItCannotRead) {
  const std::string ply = "ply\nformat binary_little_endian 1.0\n";
  EXPECT_THAT(messageOf(ply + "element chunk 1\nproperty float min_x\nelement vertex 1\n"
                              "property uint packed_position\nend_header\n"),
              HasSubstr("compressed PLY of SuperSplat"));
  EXPECT_THAT(messageOf("PK\x03\x04....", "a.npz"), HasSubstr("NPZ"));
  EXPECT_THAT(messageOf("PK\x03\x04....", "a.sog"), HasSubstr("ZIP"));
  EXPECT_THAT(messageOf("NGSP\x04", "a.spz"), HasSubstr("version 4"));
  EXPECT_THAT(messageOf("hello", "a.txt"), HasSubstr("no splat file"));
  EXPECT_THAT(messageOf("", "a.ply"), HasSubstr("no splat file"));
  EXPECT_THAT(messageOf(ply + "element vertex 1\nproperty float x\nend_header\n1234"),
              HasSubstr("no property 'y'"));
}

TEST(ImportSplats, AllocatesNothingForAPromise) {
  std::string file = asAscii(testing::randomCloud(1, 3, 1));
  file.replace(file.find("vertex 1"), 8, "vertex 1000000000000");
  EXPECT_THAT(messageOf(file), HasSubstr("too short"));
}

}  // namespace
}  // namespace gs
