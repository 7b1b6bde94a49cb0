// SPDX-License-Identifier: Apache-2.0
#include "gs_web/render_request.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace gs_web {
namespace {

TEST(RenderRequest, IsReadFromTheQuery) {
  EXPECT_EQ(
      findRenderRequest("/api/render?x=1.5&y=-2&z=3e1&yaw=0.5&pitch=-0.25&width=320&height=200"
                        "&fov=60"),
      (RenderRequest{1.5, -2, 30, 0.5, -0.25, 60, 320, 200}));
  EXPECT_EQ(findRenderRequest("/api/render"), RenderRequest());
  EXPECT_EQ(findRenderRequest("/api/render?&&x&other=7"), RenderRequest());
}

TEST(RenderRequest, WhatCannotBeRenderedIsRefused) {
  for (const char* query :
       {"x=nan", "x=inf", "x=", "x=1a", "y=1e7", "width=0", "width=15", "width=100000", "height=-1",
        "height=1e300", "fov=0", "fov=-80", "fov=170", "pitch=2", "x=1&z="})
    EXPECT_FALSE(findRenderRequest(std::string("/api/render?") + query)) << query;
}

TEST(RenderRequest, LooksWhereYawAndPitchPoint) {
  const auto seen = [](const RenderRequest& request, const gs::Vec3& p_in_map) {
    const gs::SplatView view = viewOf(request);
    return gs::Vec3(view.map_from_camera.begin.rotation.inverse() *
                    (p_in_map - view.map_from_camera.begin.translation));
  };
  RenderRequest east;
  east.z = 0;
  EXPECT_LT((seen(east, {10, 0, 0}) - gs::Vec3(0, 0, 10)).norm(), 1e-9);
  EXPECT_LT((seen(east, {10, 1, 2}) - gs::Vec3(-1, -2, 10)).norm(), 1e-9);  // left and up
  RenderRequest north = east;
  north.yaw = M_PI / 2;
  EXPECT_LT((seen(north, {1, 10, 0}) - gs::Vec3(1, 0, 10)).norm(), 1e-9);
  RenderRequest up = east;
  up.pitch = M_PI / 2;
  EXPECT_LT((seen(up, {0, 0, 5}) - gs::Vec3(0, 0, 5)).norm(), 1e-9);
}

TEST(RenderRequest, TheFieldOfViewReachesFromLeftToRight) {
  RenderRequest request;
  request.fov_deg = 90;
  request.width = 101;
  const gs::SplatView view = viewOf(request);
  EXPECT_NEAR(view.camera.intrinsics.fx, 50.5, 1e-9);
  EXPECT_EQ(view.camera.intrinsics.cx, 50);
}

}  // namespace
}  // namespace gs_web
