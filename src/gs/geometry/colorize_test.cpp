// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/colorize.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/geometry/camera_projection.hpp"
#include "gs/geometry/testing/plane_cloud.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {
namespace {

CameraCalibration smallCamera() {
  return {.frame_id = "camera_front",
          .image_width = 200,
          .image_height = 100,
          .intrinsics = {.fx = 100, .fy = 100, .cx = 100, .cy = 50}};
}

// Looks along x of the map from (x, 0, 1).
Rigid3 lookingAlongX(double x) { return {Quat(0.5, -0.5, 0.5, -0.5), Vec3(x, 0, 1)}; }

Image8 imageOf(std::array<uint8_t, 3> left, std::array<uint8_t, 3> right) {
  Image8 image(200, 100, 3);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 200; ++x)
      for (int c = 0; c < 3; ++c) image.at(x, y)[c] = x < 100 ? left[c] : right[c];
  return image;
}

// Two walls: a near one that hides the left half of the far one.
MapCloud twoWalls() {
  MapCloud cloud{.voxel_size = 0.1};
  for (double z = 0; z < 2; z += 0.1)
    for (double y = -4; y < 4; y += 0.1) {
      if (y > 0) addPoint(cloud, {5, y / 2, z}, -Vec3::UnitX());
      addPoint(cloud, {10, y, z}, -Vec3::UnitX());
    }
  return cloud;
}

TEST(Colorize, GivesTheColorOfTheFirstThingInSightAndNoneToWhatIsHidden) {
  MapCloud cloud = twoWalls();
  const ImageSource images{{{{}, smallCamera(), lookingAlongX(0)}}, [](size_t) {
                             return imageOf({200, 0, 0}, {0, 0, 200});
                           }};
  const ColorizeCounts counts = colorize(cloud, images, {});
  EXPECT_EQ(counts.images_used, 1u);
  size_t hidden = 0;
  for (size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 p = cloud.positionInMap(i);
    if (p.x() < 6 && p.y() > 0.1) {
      EXPECT_TRUE(cloud.is_colored[i]);
      EXPECT_EQ(cloud.colors[i], (std::array<uint8_t, 3>{200, 0, 0}));
    } else if (p.x() > 6 && p.y() < -0.2) {
      EXPECT_EQ(cloud.colors[i], (std::array<uint8_t, 3>{0, 0, 200}));
    } else if (p.x() > 6 && p.y() > 0.5 && p.y() < 3.5) {
      EXPECT_FALSE(cloud.is_colored[i]);
      ++hidden;
    }
  }
  EXPECT_GT(hidden, 100u);
}

TEST(Colorize, IsNotFooledByOneViewAmongMany) {
  MapCloud cloud = twoWalls();
  ImageSource images;
  for (int k = 0; k < 5; ++k) images.poses.push_back({{k}, smallCamera(), lookingAlongX(0.5 * k)});
  images.load = [](size_t i) {
    return i == 2 ? imageOf({255, 255, 255}, {255, 255, 255}) : imageOf({90, 80, 70}, {90, 80, 70});
  };
  colorize(cloud, images, {.min_travel = 0.1});
  for (size_t i = 0; i < cloud.size(); ++i)
    if (cloud.is_colored[i]) {
      EXPECT_LE(cloud.colors[i][0], 90);
    }
}

TEST(Colorize, SkipsImagesOfAnotherSizeAndStaysGreyWithoutAny) {
  MapCloud cloud = twoWalls();
  const ImageSource images{{{{}, smallCamera(), lookingAlongX(0)}},
                           [](size_t) { return Image8(10, 10, 3); }};
  const ColorizeCounts counts = colorize(cloud, images, {});
  EXPECT_EQ(counts.images_skipped, 1u);
  EXPECT_EQ(counts.points_colored, 0u);
  EXPECT_EQ(cloud.colors[0], (std::array<uint8_t, 3>{128, 128, 128}));
  MapCloud empty;
  EXPECT_EQ(colorize(empty, {}, {}).points_colored, 0u);
  EXPECT_THROW(colorize(cloud, {}, {.max_depth = -1}), Error);
}

TEST(CameraProjection, IsTheInverseOfTheRenderersRays) {
  CameraIntrinsics models[4];
  for (CameraIntrinsics& m : models) m = {.fx = 300, .fy = 310, .cx = 322, .cy = 236};
  models[1].k1 = -0.2, models[1].k2 = 0.05, models[1].p1 = 0.001, models[1].p2 = -0.002,
  models[1].k3 = -0.004;
  models[2] = models[1];
  models[2].distortion_model = DistortionModel::Rational;
  models[2].k4 = 0.05, models[2].k5 = 0.01, models[2].k6 = 0.001;
  models[3].distortion_model = DistortionModel::Equidistant;
  models[3].model = CameraModel::Fisheye;
  models[3].k1 = -0.01, models[3].k2 = 0.002, models[3].k3 = 0.0, models[3].k4 = 0.0;
  for (const CameraIntrinsics& intrinsics : models) {
    const RayTable rays = makeRayTable({640, 480, intrinsics});
    const CameraProjection projection(
        {.image_width = 640, .image_height = 480, .intrinsics = intrinsics});
    for (int y = 5; y < 480; y += 47)
      for (int x = 5; x < 640; x += 53) {
        const Vec3 ray = rays.rayAt(static_cast<float>(x), static_cast<float>(y)).cast<double>();
        const auto pixel = projection.project(7 * ray);
        ASSERT_TRUE(pixel.has_value()) << x << " " << y;
        EXPECT_NEAR(pixel->x, x, 0.02);
        EXPECT_NEAR(pixel->y, y, 0.02);
      }
    EXPECT_FALSE(projection.project(Vec3(0, 0, -1)).has_value());
    EXPECT_FALSE(projection.project(Vec3(50, 0, 1)).has_value());
  }
}

}  // namespace
}  // namespace gs
