// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/pcd.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/lzf.hpp"

namespace gs {
namespace {

PcdCloud decode(std::string_view bytes) { return readPcd(*openMemory(asBytes(bytes), "x.pcd")); }

std::string problemOf(std::string_view bytes) {
  try {
    decode(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::InputInvalid);
    EXPECT_EQ(error.report().component, "pcd");
    EXPECT_EQ(error.report().details.text("file"), "x.pcd");
    return error.report().details.text("problem");
  }
  return "";
}

std::string header(const std::string& points, const std::string& data) {
  return "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH " + points +
         "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + points + "\nDATA " + data + "\n";
}

PcdCloud randomCloud(size_t count, bool has_intensity) {
  Rng rng(count + 1);
  PcdCloud cloud;
  for (size_t i = 0; i < count; ++i) {
    cloud.positions.push_back({static_cast<float>(rng.normal()), static_cast<float>(rng.normal()),
                               static_cast<float>(rng.normal())});
    if (has_intensity) cloud.intensity.push_back(static_cast<float>(rng.uniform(0, 255)));
  }
  return cloud;
}

TEST(Pcd, KeepsEveryBitOfWhatItWrote) {
  for (const bool has_intensity : {false, true}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{7}, size_t{100'003}}) {
      PcdCloud cloud = randomCloud(count, has_intensity);
      EXPECT_EQ(decode(encodePcd(cloud)), cloud);
    }
  }
}

TEST(Pcd, WritesTheHeaderOfTheSpecification) {
  const PcdCloud cloud{.positions = {{1, 2, 3}}, .intensity = {4}};
  const std::string expected =
      "VERSION 0.7\nFIELDS x y z intensity\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\n"
      "WIDTH 1\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\nDATA binary\n";
  EXPECT_EQ(encodePcd(cloud).substr(0, expected.size()), expected);
  EXPECT_EQ(encodePcd(cloud).size(), expected.size() + 16);
}

TEST(Pcd, WritesFilesThatReadBack) {
  const testing::TempDir dir;
  const PcdCloud cloud = randomCloud(1000, true);
  writePcd(cloud, dir / "a.pcd");
  EXPECT_EQ(readPcd(*openFile(dir / "a.pcd")), cloud);
}

TEST(Pcd, ReadsAsciiWithAnyFieldsInAnyOrder) {
  const PcdCloud cloud = decode(
      "# .PCD v.7 - Point Cloud Data file format\r\nVERSION .7\r\n"
      "FIELDS intensity normal z _ y x\r\nSIZE 1 4 4 1 8 4\r\nTYPE U F F U F F\r\n"
      "COUNT 1 3 1 2 1 1\r\nWIDTH 2\r\nHEIGHT 1\r\nPOINTS 2\r\nDATA ascii\r\n"
      "200 0 0 1 3.5 9 9 2 1e0\r\n\r\n7 0 0 1 nan 9 9 -2 +1");
  ASSERT_EQ(cloud.positions.size(), 2u);
  EXPECT_EQ(cloud.positions[0], (std::array<float, 3>{1, 2, 3.5}));
  EXPECT_EQ(cloud.intensity, (std::vector<float>{200, 7}));
  EXPECT_EQ(cloud.non_finite, 1u);
  EXPECT_TRUE(std::isnan(cloud.positions[1][2]));
}

TEST(Pcd, ReadsEveryNumericTypeInBinary) {
  std::string bytes =
      "FIELDS x pad y z intensity\nSIZE 8 2 2 1 4\nTYPE F U I I U\nCOUNT 1 3 1 1 1\nWIDTH 1\n"
      "HEIGHT 1\nDATA binary\n";
  appendBytes(bytes, 1.5);
  appendBytes(bytes, std::array<uint16_t, 3>{});
  appendBytes(bytes, int16_t{-300});
  appendBytes(bytes, int8_t{-5});
  appendBytes(bytes, uint32_t{4'000'000'000});
  const PcdCloud cloud = decode(bytes);
  EXPECT_EQ(cloud.positions[0], (std::array<float, 3>{1.5, -300, -5}));
  EXPECT_EQ(cloud.intensity[0], 4e9f);
}

TEST(Pcd, CountsADoubleBeyondFloatAsNotFinite) {
  std::string bytes = "FIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nWIDTH 1\nDATA binary\n";
  appendBytes(bytes, std::array<double, 3>{1, -1e300, 2});
  EXPECT_EQ(decode(bytes).non_finite, 1u);
}

// x = 1 1 1, y = 2 2 2, z = 3 3 3, packed by hand: four bytes as they are, then a copy of eight.
std::string packedColumns() {
  std::string block;
  for (const float value : {1.0f, 2.0f, 3.0f}) {
    block += '\x03';
    appendBytes(block, value);
    block += static_cast<char>(6 << 5);  // length 6 + 2
    block += '\x03';                     // from 4 bytes back
  }
  return block;
}

std::string compressed(uint32_t packed_size, uint32_t size, const std::string& block) {
  std::string bytes = header("3", "binary_compressed");
  appendBytes(bytes, packed_size);
  appendBytes(bytes, size);
  return bytes + block;
}

TEST(Pcd, ReadsCompressedColumns) {
  const std::string block = packedColumns();
  const PcdCloud cloud = decode(compressed(static_cast<uint32_t>(block.size()), 36, block));
  EXPECT_EQ(cloud.positions, (std::vector<std::array<float, 3>>(3, {1, 2, 3})));
}

TEST(Pcd, RefusesDamagedCompression) {
  const std::string block = packedColumns();
  const auto size = static_cast<uint32_t>(block.size());
  EXPECT_EQ(problemOf(compressed(size + 1, 36, block)), "truncated");
  EXPECT_EQ(problemOf(compressed(size, 35, block)), "data");
  EXPECT_EQ(problemOf(compressed(size - 1, 36, block)), "data");
  EXPECT_EQ(problemOf(header("3", "binary_compressed") + "abc"), "truncated");
  std::string far = block;
  far[6] = '\x7f';  // a copy from before the beginning
  EXPECT_EQ(problemOf(compressed(size, 36, far)), "data");
}

TEST(Lzf, FillsTheOutputExactlyOrSaysNo) {
  std::vector<std::byte> out(4);
  EXPECT_TRUE(decompressLzf(asBytes(std::string_view("\x03"
                                                     "abcd",
                                                     5)),
                            out));
  EXPECT_EQ(asText(out), "abcd");
  EXPECT_FALSE(decompressLzf(asBytes(std::string_view("\x02"
                                                      "abc",
                                                      4)),
                             out));
  EXPECT_FALSE(decompressLzf(asBytes(std::string_view("\x04"
                                                      "abcde",
                                                      6)),
                             out));
  EXPECT_FALSE(decompressLzf(asBytes(std::string_view("\xe0", 1)), out));
  EXPECT_FALSE(decompressLzf({}, out));
}

TEST(Pcd, ChecksTheSizeOfTheFileBeforeItAllocates) {
  EXPECT_EQ(problemOf(header("4000000000000000000", "binary") + "abc"), "truncated");
  EXPECT_EQ(problemOf(header("18446744073709551615", "ascii") + "abc"), "truncated");
  EXPECT_EQ(problemOf(header("357913942", "binary_compressed") + std::string(8, '\xff')),
            "truncated");
  EXPECT_EQ(problemOf(header("2", "binary") + std::string(23, '\0')), "truncated");
  EXPECT_EQ(problemOf(header("2", "ascii") + "1 2 3\n\n"), "truncated");
  EXPECT_EQ(problemOf(header("2", "ascii") + "1 2 3\n4 5      \n"), "truncated");
}

TEST(Pcd, RefusesAHeaderThatContradictsItself) {
  const std::string tail = "WIDTH 0\nHEIGHT 1\nDATA ascii\n";
  EXPECT_EQ(problemOf(""), "header");
  EXPECT_EQ(problemOf("ply\n"), "header");
  EXPECT_EQ(problemOf(std::string(1 << 20, '#')), "header");
  EXPECT_EQ(problemOf("VERSION 0.8\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4\nTYPE F F F\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 3\nTYPE F F F\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 2\nTYPE F F F\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F Q\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 0\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 1\n" + tail), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH -1\nDATA ascii\n"), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nDATA ascii\n"), "header");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 9999999999\n"
                      "HEIGHT 9999999999\nDATA ascii\n"),
            "header");
}

TEST(Pcd, SaysWhichFieldIsMissingAndWhatItCannotRead) {
  const std::string tail = "WIDTH 0\nHEIGHT 1\nDATA ascii\n";
  EXPECT_EQ(problemOf("FIELDS x y\nSIZE 4 4\nTYPE F F\n" + tail), "fields");
  EXPECT_EQ(problemOf("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 2\n" + tail), "fields");
  EXPECT_EQ(problemOf("FIELDS x y z a\nSIZE 4 4 4 8\nTYPE F F F F\nCOUNT 1 1 1 "
                      "18446744073709551615\n" +
                      tail),
            "unsupported");
  EXPECT_EQ(problemOf(header("0", "zstd")), "unsupported");
  EXPECT_EQ(problemOf(header("0", "")), "unsupported");
  EXPECT_EQ(problemOf(header("1", "ascii") + "1 2 three\n"), "data");
}

}  // namespace
}  // namespace gs
