// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/ply.hpp"

#include <atomic>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;

PlyHeader headerOf(const std::string& text) { return readPlyHeader(*openMemory(asBytes(text))); }

// The details.problem of what `call` throws; empty when it does not.
template <typename Call>
std::string problemOf(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::InputInvalid);
    return error.report().details.text("problem");
  }
  return {};
}

std::string problemOfHeader(const std::string& text) {
  return problemOf([&] { headerOf(text); });
}

std::vector<float> columnsOf(const std::string& file, const std::vector<size_t>& columns) {
  const auto source = openMemory(asBytes(file));
  const PlyHeader header = readPlyHeader(*source);
  std::vector<float> all;
  readPlyColumns(*source, header, *header.findElement("vertex"), columns,
                 [&](uint64_t, std::span<const float> values) {
                   all.insert(all.end(), values.begin(), values.end());
                 });
  return all;
}

TEST(Ply, ReadsElementsPropertiesAndWhereTheBodyBegins) {
  const std::string text =
      "ply\nformat binary_little_endian 1.0\ncomment made by hand\nobj_info anything\n"
      "element vertex 7\nproperty float x\nproperty uchar red\nproperty double t\n"
      "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
  const PlyHeader header = headerOf(text + "body");
  EXPECT_EQ(header.format, PlyFormat::BinaryLittleEndian);
  EXPECT_EQ(header.body_offset, text.size());
  EXPECT_THAT(header.comments, ElementsAre("made by hand"));
  ASSERT_EQ(header.elements.size(), 2u);
  const PlyElement& vertex = header.elements[0];
  EXPECT_EQ(vertex.count, 7u);
  EXPECT_EQ(vertex.row_size, 13u);
  EXPECT_EQ(vertex.properties[2].offset, 5u);
  EXPECT_EQ(vertex.findProperty("t"), 2u);
  EXPECT_EQ(vertex.findProperty("u"), std::nullopt);
  EXPECT_TRUE(header.elements[1].has_list);
  EXPECT_EQ(header.elements[1].properties[0].list_count, PlyType::Uint8);
}

TEST(Ply, AcceptsWindowsLineEnds) {
  const std::string text =
      "ply\r\nformat ascii 1.0\r\nelement vertex 2\r\nproperty float x\r\nend_header\r\n";
  EXPECT_EQ(headerOf(text).body_offset, text.size());
  EXPECT_THAT(columnsOf(text + "1.5\r\n2.5\r\n", {0}), ElementsAre(1.5f, 2.5f));
}

TEST(Ply, RefusesHeadersThatMakeNoSense) {
  const std::string start = "ply\nformat ascii 1.0\n";
  const std::string end = "end_header\n";
  EXPECT_EQ(problemOfHeader(""), "header");
  EXPECT_EQ(problemOfHeader("plyx\n"), "header");
  EXPECT_EQ(problemOfHeader("ply\n" + end), "header");  // no format
  EXPECT_EQ(problemOfHeader(start), "header");          // no end
  EXPECT_EQ(problemOfHeader("ply\nformat ascii 2.0\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "format ascii 1.0\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "property float x\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element vertex -1\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element vertex 99999999999999999999\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element vertex\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element a 1\nelement a 1\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element a 1\nproperty half x\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element a 1\nproperty list float int x\n" + end), "header");
  EXPECT_EQ(problemOfHeader(start + "element a 1\nproperty float x\nproperty int x\n" + end),
            "header");
  EXPECT_EQ(problemOfHeader(start + "surprise\n" + end), "header");
}

TEST(Ply, BoundsTheHeader) {
  std::string many = "ply\nformat ascii 1.0\nelement vertex 0\n";
  for (int i = 0; i < 1001; ++i) many += "property float p" + std::to_string(i) + "\n";
  EXPECT_EQ(problemOfHeader(many + "end_header\n"), "header");
  std::string endless = "ply\nformat ascii 1.0\n";
  while (endless.size() < kMaxPlyHeaderBytes) endless += "comment and on and on and on and on\n";
  EXPECT_EQ(problemOfHeader(endless + "end_header\n"), "header");
}

TEST(Ply, ComparesPromisesWithTheFileBeforeAnybodyAllocates) {
  for (const char* format : {"binary_little_endian", "binary_big_endian", "ascii"})
    for (const char* count :
         {"4", "1000000000000", "4611686018427387904", "18446744073709551615"}) {
      const std::string file = std::string("ply\nformat ") + format + " 1.0\nelement vertex " +
                               count + "\nproperty float x\nend_header\n1 2";
      EXPECT_EQ(problemOf([&] { columnsOf(file, {0}); }), "truncated") << format << count;
    }
}

TEST(Ply, SkipsFixedRowsBeforeTheWantedElementAndIgnoresTheRest) {
  std::string file =
      "ply\nformat binary_little_endian 1.0\nelement camera 2\nproperty short a\n"
      "element vertex 1\nproperty float x\n"
      "element face 9\nproperty list uchar int i\nend_header\n";
  appendBytes(file, std::array<int16_t, 2>{1, 2});
  appendBytes(file, 6.5f);
  EXPECT_THAT(columnsOf(file, {0}), ElementsAre(6.5f));
}

TEST(Ply, SaysWhenVariableRowsHideTheWantedOnes) {
  const std::string file =
      "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uchar int i\n"
      "element vertex 1\nproperty float x\nend_header\n12345678901234567890";
  EXPECT_EQ(problemOf([&] { columnsOf(file, {0}); }), "format");
}

TEST(Ply, ReadsEveryScalarTypeInBothByteOrders) {
  const std::string rest =
      " 1.0\nelement vertex 1\nproperty char a\nproperty uchar b\nproperty short c\n"
      "property ushort d\nproperty int e\nproperty uint f\nproperty float g\nproperty double h\n"
      "end_header\n";
  std::string little = "ply\nformat binary_little_endian" + rest;
  std::string big = "ply\nformat binary_big_endian" + rest;
  const auto put = [&](auto value) {
    appendBytes(little, value);
    std::string bytes;
    appendBytes(bytes, value);
    big.append(bytes.rbegin(), bytes.rend());
  };
  put(int8_t{-1}), put(uint8_t{200}), put(int16_t{-300}), put(uint16_t{60000});
  put(int32_t{-70000}), put(uint32_t{4000000000}), put(1.25f), put(-2.5);
  const auto expected = ElementsAre(-2.5f, -1.f, 200.f, -300.f, 60000.f, -70000.f, 4e9f, 1.25f);
  EXPECT_THAT(columnsOf(little, {7, 0, 1, 2, 3, 4, 5, 6}), expected);
  EXPECT_THAT(columnsOf(big, {7, 0, 1, 2, 3, 4, 5, 6}), expected);
}

TEST(Ply, ReadsAsciiRowsWithListsBeforeThem) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement face 2\nproperty list uchar int i\n"
      "element vertex 2\nproperty float x\nproperty float y\nend_header\n";
  EXPECT_THAT(columnsOf(header + "3 0 1 2\n0\n1 -2e1\n+3.5\n1e-60", {0, 1}),
              ElementsAre(1.f, -20.f, 3.5f, 0.f));
  EXPECT_TRUE(std::isnan(columnsOf(header + "0 0 nan 1 2 3", {0})[0]));
  EXPECT_EQ(problemOf([&] { columnsOf(header + "0\n0\n1 2\n3", {0}); }), "truncated");
  EXPECT_EQ(problemOf([&] { columnsOf(header + "0\n0\n1 2\n3 4x", {0}); }), "value");
  EXPECT_EQ(problemOf([&] { columnsOf(header + "0\n-1\n1 2\n3 4", {0}); }), "value");
}

TEST(Ply, KeepsAsciiWordsThatCrossABufferTogether) {
  std::string file = "ply\nformat ascii 1.0\nelement vertex 100000\nproperty int i\nend_header\n";
  for (int i = 0; i < 100000; ++i) file += std::to_string(i) + (i % 3 == 0 ? "\n" : "  \r\n");
  const std::vector<float> values = columnsOf(file, {0});
  ASSERT_EQ(values.size(), 100000u);
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<float>(i));
}

TEST(Ply, SkipsRowsWithoutPropertiesAtOnce) {
  const std::string file =
      "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\n"
      "element vertex 1\nproperty float x\nend_header\n5";
  EXPECT_THAT(columnsOf(file, {0}), ElementsAre(5.f));
}

TEST(Ply, HandsOutEveryRowOfABinaryFileOnce) {
  const size_t count = 100003;
  std::string file = "ply\nformat binary_little_endian 1.0\nelement vertex " +
                     std::to_string(count) + "\nproperty float x\nproperty float y\n" +
                     "property float z\nend_header\n";
  for (size_t i = 0; i < count; ++i) appendBytes(file, std::array{static_cast<float>(i), 0.f, 0.f});
  const auto source = openMemory(asBytes(file));
  const PlyHeader header = readPlyHeader(*source);
  std::vector<float> values(count, -1.f);
  std::atomic<size_t> rows = 0;
  readPlyBlocks(*source, findPlyRows(*source, header, header.elements[0]),
                [&](uint64_t first, Bytes block) {
                  for (size_t i = 0; i * 12 < block.size(); ++i)
                    std::memcpy(&values[first + i], block.data() + i * 12, 4);
                  rows += block.size() / 12;
                });
  EXPECT_EQ(rows, count);
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], static_cast<float>(i));
}

}  // namespace
}  // namespace gs
