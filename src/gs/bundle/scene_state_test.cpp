// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/scene_state.hpp"

#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

SceneState sceneOf(const SceneInstance& instance) {
  SceneState scene;
  scene.instances.push_back(instance);
  return scene;
}

std::string problemOf(const SceneState& scene, size_t asset_count = 2) {
  try {
    requireScene(scene, asset_count, "renderer");
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::InputInvalid);
    EXPECT_EQ(error.report().component, "renderer");
    return error.report().message;
  }
  return "";
}

TEST(SceneState, IsTheBackgroundAloneWhenNothingIsSaid) {
  ASSERT_EQ(backgroundOnly().instances.size(), 1u);
  EXPECT_TRUE(SceneState{}.isBackgroundOnly());
  EXPECT_EQ(problemOf(backgroundOnly(), 1), "");
}

TEST(SceneState, MayHoldThingsAtAnyPose) {
  const Rigid3 pose{fromRollPitchYaw(0.1, -2, 3), Vec3(1e5, -1e5, 3)};
  const SceneState scene = sceneOf({.asset = 1, .map_from_asset = {pose, Rigid3{}}});
  EXPECT_EQ(problemOf(scene), "");
  EXPECT_FALSE(scene.isBackgroundOnly());
}

TEST(SceneState, OfOnePoseDoesNotMoveDuringAnExposure) {
  const Rigid3 pose{fromRollPitchYaw(0, 0, 1), Vec3(1, 2, 3)};
  const SceneInstance instance{.asset = 1, .map_from_asset = pose};
  EXPECT_EQ(instance.map_from_asset.begin.matrix(), pose.matrix());
  EXPECT_EQ(instance.map_from_asset.end.matrix(), pose.matrix());
}

TEST(SceneState, NamesTheInstanceWhoseAssetDoesNotExist) {
  EXPECT_THAT(problemOf(sceneOf({.asset = 2})), ::testing::HasSubstr("instance 1"));
  EXPECT_THAT(problemOf(sceneOf({.asset = 2})), ::testing::HasSubstr("no asset 2"));
  EXPECT_THAT(problemOf(sceneOf({.asset = 0})), ::testing::HasSubstr("instance 1"));
}

TEST(SceneState, RefusesPosesThatAreNone) {
  const Rigid3 lost{Quat::Identity(), Vec3(0, kNaN, 0)};
  const Rigid3 grown{Quat(2, 0, 0, 0), Vec3::Zero()}, turned{Quat(kNaN, 0, 0, 0), Vec3::Zero()};
  for (const Rigid3& pose : {lost, grown, turned}) {
    EXPECT_NE(problemOf(sceneOf({.asset = 1, .map_from_asset = pose})), "");
    EXPECT_NE(problemOf(sceneOf({.asset = 1, .map_from_asset = {Rigid3{}, pose}})), "");
  }
}

TEST(SceneState, KeepsTheBackgroundFirstAndInItsPlace) {
  SceneState scene;
  scene.instances[0].map_from_asset.begin.translation.x() = 1;
  EXPECT_THAT(problemOf(scene), ::testing::HasSubstr("background"));
  scene.instances = {{.asset = 1}};
  EXPECT_THAT(problemOf(scene), ::testing::HasSubstr("background"));
  scene.instances.clear();
  EXPECT_THAT(problemOf(scene), ::testing::HasSubstr("background"));
}

}  // namespace
}  // namespace gs
