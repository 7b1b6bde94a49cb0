// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town_renderer.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/testing/sample_town.hpp"
#include "gs/synthetic/town/road_loop.hpp"

namespace gs {
namespace {

using testing::poseAt;
using testing::renderer;
using testing::town;

ViewCamera pinhole(int width, int height) {
  ViewCamera camera{.width = width, .height = height};
  camera.intrinsics.fx = camera.intrinsics.fy = 0.6 * width;
  camera.intrinsics.cx = 0.5 * (width - 1);
  camera.intrinsics.cy = 0.5 * (height - 1);
  return camera;
}

ViewCamera bent(int width, int height) {
  ViewCamera camera = pinhole(width, height);
  camera.intrinsics.k1 = -0.12;
  camera.intrinsics.k2 = 0.03;
  camera.intrinsics.p1 = 0.001;
  camera.intrinsics.p2 = -0.0007;
  return camera;
}

ViewCamera fisheye(int width, int height) {
  ViewCamera camera = pinhole(width, height);
  camera.intrinsics.model = CameraModel::Fisheye;
  camera.intrinsics.distortion_model = DistortionModel::Equidistant;
  camera.intrinsics.k1 = 0.02;
  camera.intrinsics.k2 = -0.004;
  return camera;
}

// The textbook projections, written apart from the renderer's inverse.
Vec2 project(const CameraIntrinsics& k, const Vec3& p) {
  double x = p.x() / p.z(), y = p.y() / p.z();
  const double r2 = x * x + y * y;
  if (k.distortion_model == DistortionModel::Equidistant) {
    const double r = std::sqrt(r2), a = std::atan(r), a2 = a * a;
    const double scale = r > 0 ? a * (1 + k.k1 * a2 + k.k2 * a2 * a2) / r : 1;
    return {k.fx * x * scale + k.cx, k.fy * y * scale + k.cy};
  }
  const double radial = 1 + k.k1 * r2 + k.k2 * r2 * r2;
  const double xd = x * radial + 2 * k.p1 * x * y + k.p2 * (r2 + 2 * x * x);
  const double yd = y * radial + k.p1 * (r2 + 2 * y * y) + 2 * k.p2 * x * y;
  return {k.fx * xd + k.cx, k.fy * yd + k.cy};
}

TEST(RayTable, RaysProjectBackOntoTheirPixels) {
  for (const ViewCamera& camera : {pinhole(160, 90), bent(160, 90), fisheye(160, 90)}) {
    const RayTable rays(camera);
    for (int y = 0; y < camera.height; y += 7)
      for (int x = 0; x < camera.width; x += 7) {
        const Vec3f ray = rays.rayAt(static_cast<float>(x), static_cast<float>(y));
        const Vec2 seen = project(camera.intrinsics, ray.cast<double>());
        EXPECT_NEAR(seen.x(), x, 1e-3);
        EXPECT_NEAR(seen.y(), y, 1e-3);
      }
  }
}

TEST(TownRenderer, EveryCameraModelSeesAPointWhereItProjects) {
  const Rigid3 pose = poseAt(60);
  const RenderOptions still{.has_moving_objects = false};
  const ViewCamera straight = pinhole(320, 180);
  const TrueView plain = renderer().renderView(straight, pose, 0, still, true);
  const RayTable rays(straight);
  for (const ViewCamera& camera : {bent(320, 180), fisheye(320, 180)}) {
    const TrueView view = renderer().renderView(camera, pose, 0, still, true);
    int compared = 0, agreed = 0;
    for (int y = 20; y < 160; y += 5)
      for (int x = 20; x < 300; x += 5) {
        const float depth = *plain.depth.at(x, y);
        if (depth == 0) continue;
        const Vec3f ray = rays.rayAt(static_cast<float>(x), static_cast<float>(y));
        const Vec2 seen = project(camera.intrinsics, (ray * (depth / ray.z())).cast<double>());
        const auto i = static_cast<int>(std::lround(seen.x())),
                   j = static_cast<int>(std::lround(seen.y()));
        if (i < 0 || j < 0 || i >= camera.width || j >= camera.height) continue;
        ++compared;
        agreed += std::abs(*view.depth.at(i, j) / depth - 1) < 0.05;
      }
    EXPECT_GT(compared, 500);
    EXPECT_GT(agreed, compared * 0.9);  // the rest lies on silhouettes, where pixels differ
  }
}

TEST(TownRenderer, DepthOfAPixelEqualsTheRangeOfItsRay) {
  const Rigid3 pose = poseAt(200);
  const ViewCamera camera = pinhole(160, 90);
  const RayTable table(camera);
  const TrueView view = renderer().renderView(table, pose, 3.0, {}, true);
  std::vector<TownRenderer::Ray> rays;
  std::vector<float> expected;
  for (int y = 1; y < 90; y += 4)
    for (int x = 1; x < 160; x += 4) {
      const Vec3f ray = table.rayAt(static_cast<float>(x), static_cast<float>(y));
      rays.push_back({pose.translation.cast<float>(),
                      pose.rotation.toRotationMatrix().cast<float>() * ray, 3.0});
      expected.push_back(*view.depth.at(x, y) / ray.z());
    }
  std::vector<TownRenderer::Hit> hits(rays.size());
  renderer().cast(rays, hits);
  for (size_t i = 0; i < rays.size(); ++i)
    EXPECT_NEAR(hits[i].range, expected[i], 1e-4 * expected[i] + 1e-4) << i;
}

// A beam straight down on the road, from so low that nothing stands between.
float reflectivityOfRoad(double s, double offset) {
  const TownRenderer::Ray down{(road::onGround(s, offset) + Vec3(0, 0, 0.1)).cast<float>(),
                               -Vec3f::UnitZ(), 0.0};
  TownRenderer::Hit hit;
  renderer().cast({&down, 1}, {&hit, 1}, false);
  return hit.reflectivity;
}

TEST(TownRenderer, PaintOnTheRoadReturnsMoreThanAsphalt) {
  for (double s = 5; s < 60; s += 5) {
    EXPECT_GT(reflectivityOfRoad(s, road::kLaneWidth), 0.7f) << s;  // the edge line
    EXPECT_LT(reflectivityOfRoad(s, 1.6), 0.2f) << s;               // the middle of the lane
  }
}

TEST(TownRenderer, AnyNumberOfThreadsGivesTheSameBytes) {
  const ViewCamera camera = pinhole(320, 180);
  setThreadCount(1);
  const TrueView one = renderer().renderView(camera, poseAt(250), 4.0, {}, true);
  setThreadCount(3);
  const TrueView three = renderer().renderView(camera, poseAt(250), 4.0, {}, true);
  setThreadCount(0);
  EXPECT_EQ(one.rgb, three.rgb);
  EXPECT_EQ(one.depth, three.depth);
  EXPECT_EQ(one.moving, three.moving);
}

TEST(TownRenderer, TwoRenderersOfOneSeedGiveTheSameBytes) {
  const ViewCamera camera = pinhole(160, 90);
  const TownRenderer other(Town::make());
  EXPECT_EQ(other.renderView(camera, poseAt(100), 2.0).rgb,
            renderer().renderView(camera, poseAt(100), 2.0).rgb);
}

TEST(TownRenderer, MovingMaskIsEmptyWhenNothingMovesAndNotOtherwise) {
  const ViewCamera camera = pinhole(160, 90);
  const auto marked = [&](bool has_moving_objects, double t) {
    const TrueView view = renderer().renderView(camera, poseAt(60), t,
                                                {.has_moving_objects = has_moving_objects}, true);
    return std::count(view.moving.pixels.begin(), view.moving.pixels.end(), 255);
  };
  int64_t with = 0;
  for (double t = 0; t < 30; t += 2) {
    EXPECT_EQ(marked(false, t), 0);
    with += marked(true, t);
  }
  EXPECT_GT(with, 100);
}

TEST(TownRenderer, AnImageHasRoadSkyAndDetail) {
  const TrueView view = renderer().renderView(pinhole(320, 180), poseAt(20), 0, {}, true);
  EXPECT_EQ(*view.depth.at(160, 2), 0);  // sky over the street
  EXPECT_GT(*view.depth.at(160, 175), 1);
  EXPECT_LT(*view.depth.at(160, 175), 10);
  double sum = 0, squares = 0;
  for (const uint8_t value : view.rgb.pixels) sum += value, squares += value * value;
  const auto n = static_cast<double>(view.rgb.pixels.size());
  EXPECT_GT(std::sqrt(squares / n - sum / n * sum / n), 25);
}

TEST(TownRenderer, MoreExposureIsBrighter) {
  const ViewCamera camera = pinhole(80, 45);
  const auto brightness = [&](double exposure) {
    const TrueView view = renderer().renderView(camera, poseAt(20), 0, {.exposure = exposure});
    int64_t sum = 0;
    for (const uint8_t value : view.rgb.pixels) sum += value;
    return sum;
  };
  EXPECT_GT(brightness(1.2), brightness(1.0));
  EXPECT_GT(brightness(1.0), brightness(0.8));
}

}  // namespace
}  // namespace gs
