// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/overview.hpp"

#include <array>
#include <cmath>
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

// A white, opaque splat with axes along the map's, or turned about z.
void addSplat(GaussianCloud& cloud, const std::array<float, 3>& position,
              const std::array<float, 3>& scale, double yaw = 0) {
  const size_t i = cloud.size();
  cloud.resize(i + 1);
  for (size_t axis = 0; axis < 3; ++axis) {
    cloud.position[axis][i] = position[axis];
    cloud.log_scale[axis][i] = std::log(scale[axis]);
    cloud.sh_dc[axis][i] = 2.0f;
    cloud.rotation[axis][i] = 0;
  }
  cloud.rotation[2][i] = static_cast<float>(std::sin(yaw / 2));
  cloud.rotation[3][i] = static_cast<float>(std::cos(yaw / 2));
  cloud.logit_opacity[i] = 8;
}

TEST(Overview, ShowsWhatLiesOnTheGroundAndNotWhatHangsOverIt) {
  const auto isWhiteAt = [](const WorldBundle& bundle, double x, double y) {
    const Image8 image = drawOverview(bundle, 80);
    return image.at(static_cast<int>(2 * x), static_cast<int>(2 * (20 - y)))[0] > 200;
  };
  WorldBundle bundle = halfKnownWorld();
  addSplat(bundle.gaussians, {5.2f, 10.2f, 0.1f}, {0.9f, 0.2f, 0.01f}, 1.5708);
  EXPECT_TRUE(isWhiteAt(bundle, 5.2, 10.2));
  EXPECT_TRUE(isWhiteAt(bundle, 5.2, 10.8));   // a stripe along y ...
  EXPECT_FALSE(isWhiteAt(bundle, 6.2, 10.2));  // ... is not one along x
  addSplat(bundle.gaussians, {10.2f, 5.2f, 9.0f}, {0.5f, 0.5f, 0.5f});
  EXPECT_FALSE(isWhiteAt(bundle, 10.2, 5.2));  // a treetop
  addSplat(bundle.gaussians, {15.2f, 5.2f, 1.0f}, {3.0f, 3.0f, 3.0f});
  EXPECT_FALSE(isWhiteAt(bundle, 15.2, 5.2));  // haze
  addSplat(bundle.gaussians, {30.2f, 5.2f, 1.0f}, {0.6f, 0.6f, 0.1f});
  EXPECT_FALSE(isWhiteAt(bundle, 30.2, 5.2));  // an ellipse beyond the street
  addSplat(bundle.gaussians, {35.2f, 5.2f, 1.0f}, {0.1f, 0.2f, 0.1f});
  EXPECT_TRUE(isWhiteAt(bundle, 35.2, 5.2));  // a wall that a LiDAR point is on
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
