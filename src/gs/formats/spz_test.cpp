// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/spz.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/formats/testing/zipped.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using testing::zipped;

std::string header(uint32_t version, uint32_t count, int degree, int fractional_bits) {
  std::string text = "NGSP";
  appendBytes(text, version);
  appendBytes(text, count);
  appendBytes(text, std::array<uint8_t, 4>{static_cast<uint8_t>(degree),
                                           static_cast<uint8_t>(fractional_bits), 1, 0});
  return text;
}

SpzFile open(const std::string& file) { return SpzFile(*openMemory(asBytes(file))); }

std::string errorOf(const std::string& file) {
  try {
    open(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

template <size_t N>
std::string bytes(const int (&values)[N]) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

TEST(Spz, UndoesTheQuantisationOfVersion2) {
  const std::string body = bytes({0x00, 0x10, 0x00, 0xff, 0xff, 0xff, 0x00, 0xf0, 0xff}) +
                           bytes({51}) + bytes({0, 255, 127}) + bytes({160, 0, 255}) +
                           bytes({255, 127, 128}) +
                           bytes({128, 0, 255, 192, 64, 128, 129, 127, 128});
  const SpzFile file = open(zipped(header(2, 1, 1, 12) + body));
  EXPECT_EQ(file.size(), 1u);
  EXPECT_EQ(file.version(), 2);
  EXPECT_EQ(file.shDegree(), 1);
  EXPECT_TRUE(file.isAntialiased());
  const SpzSplat splat = file.at(0);
  EXPECT_THAT(splat.position, ElementsAre(1.f, -1.f / 4096, -1.f));
  EXPECT_FLOAT_EQ(splat.opacity, 0.2f);
  EXPECT_THAT(splat.sh_dc, ElementsAre(FloatNear(-0.5f / 0.15f, 1e-5f),
                                       FloatNear(0.5f / 0.15f, 1e-5f), FloatNear(0.f, 0.02f)));
  EXPECT_THAT(splat.log_scale, ElementsAre(0.f, -10.f, 5.9375f));
  EXPECT_THAT(splat.rotation, ElementsAre(1.f, FloatNear(0.f, 4e-3f), FloatNear(0.f, 4e-3f), 0.f));
  EXPECT_THAT(splat.sh_rest[0], ElementsAre(0.f, -1.f, 127.f / 128));  // one coefficient, R G B
  EXPECT_THAT(splat.sh_rest[1], ElementsAre(0.5f, -0.5f, 0.f));
  EXPECT_THAT(splat.sh_rest[3], ElementsAre(0.f, 0.f, 0.f));
}

TEST(Spz, ReadsTheHalfFloatsOfVersion1) {
  const std::string body = bytes({0x00, 0x3c, 0x00, 0xc1, 0x01, 0x00}) +  // 1, -2.5, 2^-24
                           std::string(1 + 3 + 3 + 3, '\x80');
  EXPECT_THAT(open(zipped(header(1, 1, 0, 0) + body)).at(0).position,
              ElementsAre(1.f, -2.5f, 0x1.0p-24f));
}

TEST(Spz, ReadsTheSmallestThreeOfVersion3) {
  // Largest is y (1); then x = +256/511, z = -511/511, w = 0, each times sqrt(1/2).
  const uint32_t packed = 1u << 30 | 256u << 20 | (512u | 511u) << 10 | 0u;
  std::string body(9 + 1 + 3 + 3, '\0');
  appendBytes(body, packed);
  const auto q = open(zipped(header(3, 1, 0, 12) + body)).at(0).rotation;
  EXPECT_NEAR(q[0], 0.35424, 1e-5);
  EXPECT_NEAR(q[2], -0.70711, 1e-5);
  EXPECT_EQ(q[3], 0.f);
  EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1, 1e-6);
  EXPECT_GT(q[1], 0.f);
}

TEST(Spz, KeepsTheFirstThreeBandsOfDegree4) {
  std::string body(20 + 72, '\x81');
  const SpzFile file = open(zipped(header(3, 1, 4, 12) + body));
  EXPECT_EQ(file.shDegree(), 3);
  EXPECT_TRUE(file.hasDroppedBand());
  EXPECT_EQ(file.at(0).sh_rest[14][2], 1.f / 128);
}

TEST(Spz, ReadsNothingButTheHeaderOfAnEmptyFile) {
  EXPECT_EQ(open(zipped(header(3, 0, 3, 12))).size(), 0u);
}

TEST(Spz, RefusesDamagedFiles) {
  const std::string good = zipped(header(2, 10, 0, 12) + std::string(190, 'a'));
  EXPECT_THAT(errorOf(""), HasSubstr("ends too early"));
  EXPECT_THAT(errorOf("ply\n"), HasSubstr("damaged"));
  EXPECT_THAT(errorOf(zipped("NGSP")), HasSubstr("no header"));
  EXPECT_THAT(errorOf(zipped(std::string(16, 'x'))), HasSubstr("not SPZ"));
  EXPECT_THAT(errorOf(zipped(header(4, 0, 0, 12))), HasSubstr("version is 4"));
  EXPECT_THAT(errorOf(zipped(header(0, 0, 0, 12))), HasSubstr("version is 0"));
  EXPECT_THAT(errorOf(zipped(header(2, 0, 5, 12))), HasSubstr("no sense"));
  EXPECT_THAT(errorOf(zipped(header(2, 0, 0, 99))), HasSubstr("no sense"));
  EXPECT_THAT(errorOf(good.substr(0, good.size() - 9)), HasSubstr("gzip data"));
  EXPECT_THAT(errorOf(zipped(header(2, 10, 0, 12) + std::string(189, 'a'))), HasSubstr("short"));
  std::string flipped = good;
  flipped[flipped.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(errorOf(flipped), HasSubstr("damaged"));
}

TEST(Spz, IsNotImpressedByPromisesAndBombs) {
  EXPECT_THAT(errorOf(zipped(header(3, 4000000000u, 3, 12))), HasSubstr("promises"));
  EXPECT_THAT(errorOf(zipped(header(3, 90000000u, 3, 12))), HasSubstr("short"));
  EXPECT_THAT(errorOf(zipped(header(3, 0, 0, 12) + std::string(size_t{50} << 20, '\0'))),
              HasSubstr("goes on"));
}

}  // namespace
}  // namespace gs
