// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_builder/lidar_spec.hpp"
#include "shared_data.hpp"

// LiDARs of real cars, whose clouds say nothing about beams.
namespace gs_builder {
namespace {

namespace fs = std::filesystem;

std::vector<gs::LidarPoints> scansOf(const fs::path& log, const std::string& topic, double seconds,
                                     int every) {
  const gs::LogReader reader(log);
  const gs::Stamp end = reader.summary().start + gs::Duration{std::llround(seconds * 1e9)};
  std::vector<gs::LidarPoints> scans;
  int count = 0;
  reader.read({.topics = {topic}, .end = end}, [&](const gs::LogMessage& message) {
    if (count++ % every != 0) return;
    const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data);
    ASSERT_TRUE(cloud);
    scans.push_back(gs::decodePointCloud(gs::viewPointCloud(*cloud), topic));
  });
  return scans;
}

TEST(RealLidars, AnHdl64EHasTwoBlocksOfUnevenBeams) {
  const fs::path log = gs::testing::sharedData() / "mcap/kitti_0005_mini_zstd.mcap";
  if (!fs::exists(log)) GTEST_SKIP() << log << " is not on this machine";
  const LidarGuess guess = inferLidarSpec(scansOf(log, "/lidar/velodyne/points", 10, 1));
  EXPECT_EQ(guess.spec.model, "HDL-64E");
  EXPECT_TRUE(guess.warnings.empty());
  ASSERT_EQ(guess.spec.vertical_angles_deg.size(), 64u);
  const auto& angles = guess.spec.vertical_angles_deg;
  ASSERT_TRUE(guess.spec.vertical_offsets);
  const auto& heights = *guess.spec.vertical_offsets;
  EXPECT_NEAR(angles.front(), -25.0, 0.05);
  EXPECT_NEAR(angles.back(), 1.94, 0.05);
  for (size_t i = 0; i < 64; ++i) EXPECT_NEAR(heights[i], i < 32 ? 0.121 : 0.203, 0.01) << i;
  for (size_t i = 1; i < 64; ++i) {
    EXPECT_GT(angles[i] - angles[i - 1], 0.2) << i;
    EXPECT_LT(angles[i] - angles[i - 1], 0.7) << i;
  }
}

TEST(RealLidars, AnHdl32EIsFoundInScansWithoutTheirMotion) {
  const fs::path log = gs::testing::sharedData() / "mcap/nuscenes_scene-0006.mcap";
  if (!fs::exists(log)) GTEST_SKIP() << log << " is not on this machine";
  const LidarGuess guess = inferLidarSpec(scansOf(log, "/lidar/LIDAR_TOP/points", 5, 9));
  EXPECT_EQ(guess.spec.model, "HDL-32E");
  EXPECT_EQ(guess.spec.channels, 32);
  EXPECT_NEAR(guess.spec.vertical_fov_deg[0], -30.67, 0.01);
  EXPECT_NEAR(guess.spec.vertical_fov_deg[1], 10.67, 0.01);
  EXPECT_TRUE(guess.warnings.empty());
}

}  // namespace
}  // namespace gs_builder
