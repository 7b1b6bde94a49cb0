// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_spec.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

namespace gs_builder {
namespace {

// A LiDAR with these channels in a room whose walls are 8 to 57 m away, every 0.4 degrees.
std::vector<gs::LidarPoints> scansOf(const std::vector<double>& angles_deg, bool has_rings) {
  constexpr double kRadians = std::numbers::pi / 180;
  gs::LidarPoints scan;
  for (int column = 0; column < 900; ++column)
    for (size_t ring = 0; ring < angles_deg.size(); ++ring) {
      const double azimuth = (column * 0.4 - 180) * kRadians, tilt = angles_deg[ring] * kRadians;
      const double range = 8 + 49 * std::abs(std::sin(azimuth));
      scan.positions.push_back({static_cast<float>(range * std::cos(tilt) * std::cos(azimuth)),
                                static_cast<float>(range * std::cos(tilt) * std::sin(azimuth)),
                                static_cast<float>(range * std::sin(tilt))});
      if (has_rings) scan.ring.push_back(static_cast<uint16_t>(ring));
    }
  return {scan, scan};
}

TEST(InferLidarSpec, EvenChannelsByRing) {
  std::vector<double> angles;
  for (int i = 0; i < 16; ++i) angles.push_back(-15 + 2 * i);
  const gs::LidarSpec spec = inferLidarSpec(scansOf(angles, true));
  EXPECT_EQ(spec.channels, 16);
  EXPECT_NEAR(spec.vertical_fov_deg[0], -15, 1e-9);
  EXPECT_NEAR(spec.vertical_fov_deg[1], 15, 1e-9);
  EXPECT_TRUE(spec.vertical_angles_deg.empty());
  EXPECT_NEAR(spec.horizontal_resolution_deg, 0.4, 1e-9);
  EXPECT_DOUBLE_EQ(spec.max_range, 60);
  EXPECT_LE(spec.min_range, 1);
}

TEST(InferLidarSpec, UnevenChannelsAreListed) {
  const std::vector<double> angles = {-25, -12, -6, -3, -1, 0, 1, 3};
  const gs::LidarSpec spec = inferLidarSpec(scansOf(angles, true));
  ASSERT_EQ(spec.vertical_angles_deg.size(), angles.size());
  for (size_t i = 0; i < angles.size(); ++i)
    EXPECT_NEAR(spec.vertical_angles_deg[i], angles[i], 0.011);
}

TEST(InferLidarSpec, ChannelsAreCountedWithoutRings) {
  std::vector<double> angles;
  for (int i = 0; i < 32; ++i) angles.push_back(-30.67 + 1.333 * i);
  const gs::LidarSpec spec = inferLidarSpec(scansOf(angles, false));
  EXPECT_EQ(spec.channels, 32);
  EXPECT_NEAR(spec.vertical_fov_deg[0], -30.67, 0.06);
  EXPECT_NEAR(spec.horizontal_resolution_deg, 0.4, 0.011);
}

TEST(InferLidarSpec, NothingToSeeStillGivesAValidSpec) {
  const gs::LidarSpec spec = inferLidarSpec({});
  EXPECT_GE(spec.channels, 1);
  EXPECT_LT(spec.vertical_fov_deg[0], spec.vertical_fov_deg[1]);
  EXPECT_LT(spec.min_range, spec.max_range);
}

}  // namespace
}  // namespace gs_builder
