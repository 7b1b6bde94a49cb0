// SPDX-License-Identifier: Apache-2.0
#include "gs/render/camera.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/testing/small_clouds.hpp"

namespace gs {
namespace {

std::vector<Camera> lenses() {
  return {testing::pinhole(640, 480, 500), testing::radtan(640, 480, 400),
          testing::rational(640, 480, 400), testing::fisheye(640, 640, 640 / M_PI)};
}

TEST(Lens, ProjectsAlongTheRayOfEveryPixel) {
  for (const Camera& camera : lenses()) {
    const Lens lens(camera);
    for (int y = 0; y < camera.height; y += 37)
      for (int x = 0; x < camera.width; x += 37) {
        const auto point = lens.project(7 * lens.rayAt(x, y));
        ASSERT_TRUE(point);
        EXPECT_NEAR(point->px.x(), x, 1e-6);
        EXPECT_NEAR(point->px.y(), y, 1e-6);
        EXPECT_LT((*lens.pixelOf(7 * lens.rayAt(x, y)) - point->px).norm(), 1e-9);
      }
  }
}

TEST(Lens, HasTheDerivativeThatFiniteDifferencesHave) {
  Rng rng(1);
  for (const Camera& camera : lenses()) {
    const Lens lens(camera);
    for (int n = 0; n < 200; ++n) {
      const Vec3 p = lens.rayAt(rng.uniform(0, camera.width), rng.uniform(0, camera.height)) *
                     rng.uniform(0.5, 50);
      const auto at = lens.project(p);
      ASSERT_TRUE(at);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 step = Vec3::Zero();
        step[axis] = 1e-6 * p.norm();
        const Vec2 slope =
            (lens.project(p + step)->px - lens.project(p - step)->px) / (2 * step[axis]);
        EXPECT_NEAR((slope - at->px_by_point.col(axis)).norm(), 0, 1e-4 * (1 + slope.norm()));
      }
    }
  }
}

// The formulas of OpenCV, at a point worked out by hand: x = 0.5, y = 0.25, r2 = 0.3125.
TEST(Lens, DistortsAsOpenCvDefinesIt) {
  Camera camera = testing::pinhole(640, 480, 100);
  camera.intrinsics.cx = camera.intrinsics.cy = 0;
  camera.intrinsics.k1 = 0.1;
  camera.intrinsics.k2 = 0.2;
  camera.intrinsics.p1 = 0.01;
  camera.intrinsics.p2 = 0.02;
  camera.intrinsics.k3 = 0.3;
  const double r2 = 0.3125, radial = 1 + 0.1 * r2 + 0.2 * r2 * r2 + 0.3 * r2 * r2 * r2;
  const double x = 0.5 * radial + 2 * 0.01 * 0.125 + 0.02 * (r2 + 0.5);
  const double y = 0.25 * radial + 0.01 * (r2 + 0.125) + 2 * 0.02 * 0.125;
  const auto point = Lens(camera).project({1, 0.5, 2});
  EXPECT_NEAR(point->px.x(), 100 * x, 1e-9);
  EXPECT_NEAR(point->px.y(), 100 * y, 1e-9);
}

TEST(Lens, SeesAHalfSphereThroughAFisheye) {
  Camera camera = testing::fisheye(200, 200, 200 / M_PI);
  camera.intrinsics.k1 = camera.intrinsics.k2 = 0;
  const Lens lens(camera);
  EXPECT_NEAR(lens.project({1, 0, 0})->px.x(), 99.5 + 100, 1e-6);  // 90 degrees to the right
  EXPECT_NEAR(lens.project({0, -1, 1})->px.y(), 99.5 - 50, 1e-6);  // 45 degrees up
  EXPECT_FALSE(lens.project({0, 0, -1}));
  EXPECT_NEAR(lens.project({0, 0, 3})->px.x(), 99.5, 1e-6);  // the axis itself
}

TEST(Lens, KeepsGrowingBeyondTheImage) {
  // Wide-angle distortion whose polynomial folds back: a point far off axis must not come back in.
  Camera camera = testing::radtan(640, 480, 400);
  camera.intrinsics.k1 = -0.35;
  camera.intrinsics.k2 = 0.05;
  const Lens lens(camera);
  double last = 0;
  for (double tangent = 0; tangent < 20; tangent += 0.05) {
    const double x = lens.project({tangent, 0, 1})->px.x();
    EXPECT_GT(x, last) << tangent;
    last = x;
  }
  EXPECT_GT(last, 2 * camera.width);
}

TEST(Lens, NeverStretchesASplatBesideTheCameraOverTheImage) {
  // 80 degrees off axis, close: without the clamp its picture would be hundreds of times too long.
  const Lens lens(testing::pinhole(640, 480, 500));
  const auto point = lens.project({5.7, 0, 1});
  EXPECT_LT(point->px_by_point.col(2).norm(), 1.5 * 500);
}

TEST(Lens, TurnsTheAxesOfRos) {
  // Up in a ros camera frame is y, in an opencv one it is -y.
  EXPECT_LT((opencvFromCamera(CameraConvention::Ros) * Vec3(0, 1, 0) - Vec3(0, -1, 0)).norm(),
            1e-12);
  EXPECT_LT((opencvFromCamera(CameraConvention::Ros) * Vec3(0, 0, -1) - Vec3(0, 0, 1)).norm(),
            1e-12);
}

TEST(Lens, RefusesWhatCannotMakeAnImage) {
  const auto refuses = [](const auto& change) {
    Camera camera = testing::pinhole(64, 48, 50);
    change(camera);
    EXPECT_THROW(Lens{camera}, Error);
  };
  refuses([](Camera& c) { c.width = 0; });
  refuses([](Camera& c) { c.height = -5; });
  refuses([](Camera& c) { c.width = 1 << 20; });
  refuses([](Camera& c) { c.intrinsics.fx = 0; });
  refuses([](Camera& c) { c.intrinsics.fy = -3; });
  refuses([](Camera& c) { c.intrinsics.fy = std::numeric_limits<double>::infinity(); });
  refuses([](Camera& c) { c.intrinsics.k1 = std::numeric_limits<double>::quiet_NaN(); });
}

TEST(Lens, SurvivesAbsurdCoefficients) {
  Rng rng(2);
  for (int n = 0; n < 200; ++n) {
    Camera camera = n % 2 == 0 ? testing::rational(64, 48, 50) : testing::fisheye(64, 48, 20);
    CameraIntrinsics& k = camera.intrinsics;
    for (double* c : {&k.k1, &k.k2, &k.p1, &k.p2}) *c = 100 * rng.normal();
    k.k3 = 100 * rng.normal();
    k.k4 = 100 * rng.normal();
    const Lens lens(camera);
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(lens.rayAt(rng.uniform(0, 64), rng.uniform(0, 48)).allFinite());
      const auto point = lens.project({rng.normal(), rng.normal(), 0.1 + rng.uniform()});
      EXPECT_TRUE(!point || (point->px.allFinite() && point->px_by_point.allFinite()));
    }
  }
}

}  // namespace
}  // namespace gs
