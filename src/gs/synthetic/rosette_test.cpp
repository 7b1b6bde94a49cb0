// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/rosette.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/bundle/read_bundle.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace gs {
namespace {

TEST(Rosette, FillsACircleAheadAndReachesItsEdge) {
  const RosetteOptions options;
  double widest = 0;
  for (const LidarRayTable::Row& row : makeRosette(options).rows)
    widest = std::max(widest, std::hypot(row.azimuth_deg, row.elevation_deg));
  EXPECT_GT(widest, options.half_angle_deg - 0.5);
  EXPECT_LT(widest, options.half_angle_deg + 0.5);
}

TEST(Rosette, MakesAWorldThatIsValidAndReadsBackTheSame) {
  const testing::TempDir dir;
  WorldBundle world = makeMinimalBundle();
  mountRosette(world, "top");
  writeBundle(dir / "world", world);
  const InspectedBundle read = inspectBundle(dir / "world");
  EXPECT_TRUE(read.report.findings.empty()) << toText(read.report);
  EXPECT_TRUE(read.bundle == world);
  EXPECT_EQ(read.bundle.raysOf(read.bundle.calibration.lidars.at("top").spec)->rows.size(), 24000u);
}

}  // namespace
}  // namespace gs
