// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/overview.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace gs {
namespace {

// 41 x 21 m of flat ground, unknown in its eastern half.
WorldBundle halfKnownWorld() {
  WorldBundle bundle;
  bundle.heightmap = {.resolution = 1, .width = 41, .height = 21};
  for (int i = 0; i < 41 * 21; ++i)
    bundle.heightmap.samples.push_back(i % 41 <= 20 ? 0.0f
                                                    : std::numeric_limits<float>::quiet_NaN());
  bundle.timebase.initial_pose.position = {-100, -100, 0};  // out of the picture
  return bundle;
}

bool isGreen(const uint8_t* pixel) { return pixel[1] > pixel[0] + 60 && pixel[1] > pixel[2] + 60; }

TEST(Overview, ShowsTheMapWithNorthUpAndUnknownGroundDark) {
  const Image8 image = drawOverview(halfKnownWorld(), 80);
  EXPECT_EQ(image.width, 80);
  EXPECT_EQ(image.height, 40);
  EXPECT_GT(image.at(10, 20)[0], 70);
  EXPECT_LT(image.at(70, 20)[0], 40);
}

TEST(Overview, OutlinesTheDrivableArea) {
  WorldBundle bundle = halfKnownWorld();
  bundle.drivable.features = {{.polygons = {{.outer = {{2, 15}, {9, 15}, {9, 19}, {2, 15}}}}}};
  const Image8 image = drawOverview(bundle, 80);
  EXPECT_TRUE(isGreen(image.at(10, 10)));   // (5, 15) m: in the upper half of the picture
  EXPECT_FALSE(isGreen(image.at(10, 30)));  // (5, 5) m
}

TEST(Overview, SurvivesEnormousAndTinyWorlds) {
  WorldBundle bundle = halfKnownWorld();
  bundle.drivable.features = {
      {.polygons = {{.outer = {{-1e9, -1e9}, {1e9, -1e9}, {0, 1e9}, {-1e9, -1e9}}}}}};
  bundle.gaussians.resize(1);
  for (auto& axis : bundle.gaussians.position) axis[0] = 1e30f;
  for (auto& axis : bundle.gaussians.log_scale) axis[0] = 80.0f;
  for (auto& axis : bundle.gaussians.rotation) axis[0] = 0.5f;
  for (auto& axis : bundle.gaussians.sh_dc) axis[0] = 1e30f;
  bundle.gaussians.logit_opacity[0] = 1e30f;
  drawOverview(bundle, 64);
  bundle.heightmap = {.resolution = 1e-6, .width = 1, .height = 1, .samples = {0.0f}};
  EXPECT_EQ(drawOverview(bundle, 64).width, 64);
}

}  // namespace
}  // namespace gs
