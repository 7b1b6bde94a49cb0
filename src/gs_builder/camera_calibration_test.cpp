// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/camera_calibration.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace gs_builder {
namespace {

using ::testing::HasSubstr;

gs::msgs::CameraInfo infoOf(uint32_t width, uint32_t height) {
  gs::msgs::CameraInfo info;
  info.width = width;
  info.height = height;
  info.k = {1000, 0, 799.5, 0, 900, 449.5, 0, 0, 1};
  info.p = {800, 0, 790, 0, 0, 810, 440, 0, 0, 0, 1, 0};
  info.distortion_model = "plumb_bob";
  info.d = {-0.1, 0.02, 0.001, -0.002, 0.003};
  return info;
}

TEST(CameraFromInfo, TakesEachDistortionModel) {
  auto lens = cameraFromInfo(infoOf(1600, 900), 1600, 900, false).intrinsics;
  EXPECT_EQ(lens.distortion_model, gs::DistortionModel::RadTan);
  EXPECT_EQ(lens.fx, 1000);
  EXPECT_EQ(lens.p2, -0.002);
  EXPECT_EQ(lens.k3, 0.003);

  auto info = infoOf(1600, 900);
  info.distortion_model = "rational_polynomial";
  info.d = {1, 2, 3, 4, 5, 6, 7, 8};
  lens = cameraFromInfo(info, 1600, 900, false).intrinsics;
  EXPECT_EQ(lens.distortion_model, gs::DistortionModel::Rational);
  EXPECT_EQ(lens.p1, 3);
  EXPECT_EQ(lens.k6, 8);

  info.distortion_model = "equidistant";
  info.d = {1, 2, 3, 4};
  lens = cameraFromInfo(info, 1600, 900, false).intrinsics;
  EXPECT_EQ(lens.model, gs::CameraModel::Fisheye);
  EXPECT_EQ(lens.k4, 4);
  EXPECT_EQ(lens.p1, 0);

  info.distortion_model = "mystery";
  EXPECT_THAT(cameraFromInfo(info, 1600, 900, false).problem, HasSubstr("mystery"));
}

TEST(CameraFromInfo, HalfTheSizeIsHalfTheLens) {
  const auto lens = cameraFromInfo(infoOf(1600, 900), 800, 450, false).intrinsics;
  EXPECT_DOUBLE_EQ(lens.fx, 500);
  EXPECT_DOUBLE_EQ(lens.fy, 450);
  EXPECT_DOUBLE_EQ(lens.cx, 399.5);  // the centre of the image stays the centre
  EXPECT_DOUBLE_EQ(lens.cy, 224.5);
}

TEST(CameraFromInfo, CropsAndBinsAsImageGeometryDoes) {
  auto info = infoOf(1600, 900);
  info.roi = {.x_offset = 200, .y_offset = 100, .height = 600, .width = 1200};
  info.binning_x = info.binning_y = 2;
  const auto result = cameraFromInfo(info, 600, 300, false);
  EXPECT_EQ(result.problem, "");
  EXPECT_DOUBLE_EQ(result.intrinsics.fx, 500);
  EXPECT_DOUBLE_EQ(result.intrinsics.cx, (799.5 - 200) / 2);
  EXPECT_DOUBLE_EQ(result.intrinsics.cy, (449.5 - 100) / 2);
  EXPECT_EQ(result.notes.size(), 2u);
}

TEST(CameraFromInfo, RectifiedImagesHaveTheLensOfP) {
  const auto lens = cameraFromInfo(infoOf(1600, 900), 1600, 900, true).intrinsics;
  EXPECT_EQ(lens.fx, 800);
  EXPECT_EQ(lens.fy, 810);
  EXPECT_EQ(lens.cx, 790);
  EXPECT_EQ(lens.k1, 0);
  EXPECT_TRUE(isRectifiedTopic("/sensing/camera/camera0/image_rect_color/compressed"));
  EXPECT_FALSE(isRectifiedTopic("/camera/front/image_raw"));
}

TEST(CameraFromInfo, SaysWhyALensCannotBe) {
  auto info = infoOf(1600, 900);
  info.k[0] = 0;
  EXPECT_THAT(cameraFromInfo(info, 1600, 900, false).problem, HasSubstr("focal lengths are 0"));
  info = infoOf(1600, 900);
  info.k[2] = std::nan("");
  EXPECT_THAT(cameraFromInfo(info, 1600, 900, false).problem, HasSubstr("principal point"));
  info = infoOf(1600, 900);
  EXPECT_THAT(cameraFromInfo(info, 1600, 600, false).problem, HasSubstr("1600x900"));
  info.d[0] = std::nan("");
  EXPECT_THAT(cameraFromInfo(info, 1600, 900, false).problem, HasSubstr("not finite"));
}

TEST(OpticalMount, ABodyFrameIsTurnedToLookForward) {
  const gs::Quat optical(0.5, -0.5, 0.5, -0.5);
  const OpticalMount kept = opticalMountOf({optical, {1, 0, 1}});
  EXPECT_FALSE(kept.was_turned);
  const OpticalMount turned = opticalMountOf({gs::Quat::Identity(), {1, 0, 1}});
  EXPECT_TRUE(turned.was_turned);
  EXPECT_NEAR(turned.base_from_camera.rotation.angularDistance(optical), 0, 1e-12);
}

}  // namespace
}  // namespace gs_builder
