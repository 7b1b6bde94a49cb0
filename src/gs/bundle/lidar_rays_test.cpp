// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/lidar_rays.hpp"

#include <gmock/gmock.h>

#include "gs/bundle/calibration.hpp"

namespace gs {
namespace {

using Kind = LidarRayProblem::Kind;
constexpr const char* kHeader = "azimuth_deg,elevation_deg,time_sec,ring\n";

std::vector<LidarRayProblem> problemsOf(const std::string& text) {
  std::vector<LidarRayProblem> problems;
  readLidarRays(text, problems);
  return problems;
}

TEST(LidarRays, AreReadWithSpacesAndLineEndsOfAnySystem) {
  std::vector<LidarRayProblem> problems;
  const LidarRayTable table = readLidarRays(
      "\xef\xbb\xbf azimuth_deg, elevation_deg, time_sec, ring\r\n"
      "-35.5, 10,0, 0\r\n\r\n12.25 ,-7.5e0, 0.05, 65535",
      problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0], (LidarRayTable::Row{-35.5, 10, 0, 0}));
  EXPECT_EQ(table.rows[1], (LidarRayTable::Row{12.25, -7.5, 0.05, 65535}));
}

TEST(LidarRays, ReadBackAsTheyWereWritten) {
  LidarRayTable table;
  for (int i = 0; i < 100; ++i)
    table.rows.push_back(
        {100.0 / (i + 1), -1.0 / 3 * i / 2, 0.1 * i / 99, static_cast<uint16_t>(i)});
  std::vector<LidarRayProblem> problems;
  EXPECT_EQ(readLidarRays(writeLidarRays(table), problems), table);
  EXPECT_TRUE(problems.empty());
}

TEST(LidarRays, NameWhatIsWrongAndWhere) {
  const auto first = [](const std::string& text) {
    const std::vector<LidarRayProblem> problems = problemsOf(text);
    if (problems.empty()) return std::pair(Kind::Format, -1);
    return std::pair(problems[0].kind, problems[0].line);
  };
  const std::string header = kHeader;
  EXPECT_EQ(first(""), std::pair(Kind::Format, 1));
  EXPECT_EQ(first("0,0,0,0\n"), std::pair(Kind::Format, 1));
  EXPECT_EQ(first(header), std::pair(Kind::Count, 1));
  EXPECT_EQ(first(header + "1,2,3\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "1,2,3,4,5\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "0,0,0,0\n1,x,0,0\n"), std::pair(Kind::Format, 3));
  EXPECT_EQ(first(header + "0,0,0,\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "nan,0,0,0\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "361,0,0,0\n"), std::pair(Kind::Range, 2));
  EXPECT_EQ(first(header + "0,-91,0,0\n"), std::pair(Kind::Range, 2));
  EXPECT_EQ(first(header + "0,0,0,65536\n"), std::pair(Kind::Range, 2));
  EXPECT_EQ(first(header + "0,0,0,0.5\n"), std::pair(Kind::Range, 2));
  EXPECT_EQ(first(header + "0,0,0,-1\n"), std::pair(Kind::Range, 2));
  EXPECT_EQ(first(header + "0,0,nan,0\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "0,0,1e999,0\n"), std::pair(Kind::Format, 2));
  EXPECT_EQ(first(header + "0,0,-1,0\n"), std::pair(Kind::Time, 2));
  EXPECT_EQ(first(header + "0,0,0.02,0\n0,0,0.01,0\n"), std::pair(Kind::Time, 3));
}

TEST(LidarRays, OfAFileThatIsAllWrongAreReportedByAFew) {
  std::string text = kHeader;
  for (int i = 0; i < 1000; ++i) text += "999,0,0,0\n";
  EXPECT_EQ(problemsOf(text).size(), 10u);
}

TEST(LidarRays, AreCountedForTurnsAndTables) {
  EXPECT_EQ(rayCount({.channels = 128, .horizontal_resolution_deg = 0.2}, nullptr), 128u * 1800);
  EXPECT_EQ(rayCount({.channels = -3, .horizontal_resolution_deg = 0.2}, nullptr), 0u);
  EXPECT_EQ(rayCount({.channels = 3, .horizontal_resolution_deg = 0}, nullptr), 0u);
  EXPECT_EQ(rayCount({.channels = 4000, .horizontal_resolution_deg = 0.001}, nullptr),
            kMaxLidarRays);
  const LidarRayTable table{.rows = std::vector<LidarRayTable::Row>(7)};
  EXPECT_EQ(rayCount({.pattern = "sensors/rays_top.csv", .channels = 128}, &table), 7u);
  EXPECT_EQ(rayCount({.pattern = "sensors/rays_top.csv", .channels = 128}, nullptr), 0u);
}

}  // namespace
}  // namespace gs
