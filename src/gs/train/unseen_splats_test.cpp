// SPDX-License-Identifier: Apache-2.0
#include "gs/train/unseen_splats.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gs {
namespace {

constexpr int kWidth = 160, kHeight = 96;
constexpr double kWall = 90;  // m ahead of the road that the views are on

// Stripes and patches of no regular period, so that a place of the wall looks like no other.
float paint(double along, double up, int channel) {
  return static_cast<float>(0.5 + 0.2 * std::sin(0.9 * along + channel) +
                            0.15 * std::sin(0.31 * along - 0.7 * up) +
                            0.15 * std::sin(1.3 * up + 0.11 * along * channel));
}

// A wall with nothing before it and no sky above, from places beside each other, `apart` m.
GaussianCloud splatsOfWall(int views, double apart) {
  Camera camera{.width = kWidth, .height = kHeight};
  camera.intrinsics = {.fx = 120, .fy = 120, .cx = 79.5, .cy = 47.5};
  const PreparedCamera prepared(camera);
  Eigen::Matrix3d axes;  // of the camera: right, down, ahead
  axes.col(0) = Vec3(0, -1, 0);
  axes.col(1) = Vec3(0, 0, -1);
  axes.col(2) = Vec3(1, 0, 0);
  PlanarImage color, extras, target;
  for (PlanarImage* image : {&color, &extras, &target}) image->resize(kWidth, kHeight);
  const SkyModel no_sky;
  UnseenSplats unseen;
  for (int view = 0; view < views; ++view) {
    const Rigid3 pose{Quat(axes), Vec3(0, apart * view, 1.5)};
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const Vec3 ray = axes * prepared.lens().rayAt(x, y);
        const Vec3 hit = pose.translation + kWall / ray.x() * ray;
        for (size_t c = 0; c < 3; ++c)
          target.row(c, y)[x] = paint(hit.y(), hit.z(), static_cast<int>(c));
        extras.row(0, y)[x] = 1;
      }
    unseen.collect({prepared, pose, color, extras, target, {}}, no_sky);
  }
  return unseen.make(0, 100'000);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double medianAhead(const GaussianCloud& cloud) {
  return median({cloud.position[0].begin(), cloud.position[0].end()});
}

TEST(UnseenSplats, StandWhereViewsFromElsewhereAgree) {
  const GaussianCloud cloud = splatsOfWall(5, 8);
  ASSERT_GT(cloud.size(), 50u);
  EXPECT_NEAR(medianAhead(cloud), kWall, 0.1 * kWall);
}

TEST(UnseenSplats, AreFarWhereNothingTellsTheirDistance) {
  const GaussianCloud cloud = splatsOfWall(1, 0);
  ASSERT_GT(cloud.size(), 20u);
  EXPECT_GT(medianAhead(cloud), 200);
}

}  // namespace
}  // namespace gs
