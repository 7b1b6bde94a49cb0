// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/scene_collision.hpp"

#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"
#include "gs_sim/planar_pose.hpp"

namespace gs_sim {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

EgoPose at(double x, double y = 0, double yaw = 0) {
  return egoPoseOf({.x = x, .y = y, .yaw = yaw}, {});
}

// A surface of a box of 2 m x 1 m, as high as asked for, with triangles that are none.
gs::TriangleMesh box(float height) {
  gs::TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.positions.push_back(
        {corner & 1 ? 1.0f : -1.0f, corner & 2 ? 0.5f : -0.5f, corner & 4 ? height : 0.0f});
  mesh.positions.push_back({kNaN, 0, 0});
  mesh.triangles = {{0, 1, 8}, {0, 1, 99}};
  const std::array<std::array<uint32_t, 4>, 6> sides = {
      {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

gs::SceneState sceneOf(const gs::Rigid3& map_from_asset, uint32_t asset = 1) {
  gs::SceneState scene;
  scene.instances.push_back({.asset = asset, .map_from_asset = map_from_asset});
  return scene;
}

gs::Rigid3 placed(double x, double y, double z = 0, double yaw = 0) {
  return {gs::fromRollPitchYaw(0, 0, yaw), gs::Vec3(x, y, z)};
}

std::unique_ptr<CollisionInterface> emptyWorld() { return createMeshCollision({}, {}, {}); }

// The nose of the default car is wheelbase + overhang = 3.7 m ahead of base_link.
TEST(SceneCollision, AThingIsHitWhereItStandsAndOnlyThere) {
  const gs::TriangleMesh thing = box(1);
  const SceneCollision collision(emptyWorld(), {nullptr, &thing}, {});
  EXPECT_FALSE(collision.isCollisionAt(at(6.25), sceneOf(placed(11, 0))));
  EXPECT_TRUE(collision.isCollisionAt(at(6.35), sceneOf(placed(11, 0))));
  // Turned across the road it is nearer to the side and farther ahead.
  EXPECT_FALSE(collision.isCollisionAt(at(6.75), sceneOf(placed(11, 0, 0, M_PI / 2))));
  EXPECT_TRUE(collision.isCollisionAt(at(6.85), sceneOf(placed(11, 0, 0, M_PI / 2))));
  EXPECT_FALSE(collision.isCollisionAt(at(9), sceneOf(placed(11, 0, 4)))) << "above the roof";
  EXPECT_FALSE(collision.isCollisionAt(at(9))) << "not in this scene";
}

TEST(SceneCollision, WhatIsLowerThanTheBumperIsDrivenOver) {
  const gs::TriangleMesh low = box(0.1f);
  const SceneCollision collision(emptyWorld(), {nullptr, &low}, {});
  EXPECT_FALSE(collision.isCollisionAt(at(9), sceneOf(placed(11, 0))));
}

TEST(SceneCollision, TheBackgroundAnswersAsItDoesAlone) {
  const gs::TriangleMesh wall{.positions = {{10, -5, 0}, {10, 5, 0}, {10, 0, 3}},
                              .triangles = {{0, 1, 2}}};
  const gs::TriangleMesh thing = box(1);
  const auto alone = createMeshCollision(wall, {}, {});
  const SceneCollision collision(createMeshCollision(wall, {}, {}), {nullptr, &thing}, {});
  const SceneCollision without(createMeshCollision(wall, {}, {}), {}, {});
  const gs::SceneState elsewhere = sceneOf(placed(0, 500));
  int hits = 0;
  for (double x = 0; x < 20; x += 0.05) {
    const bool expected = alone->isCollisionAt(at(x, 0.3, 0.1));
    hits += expected;
    EXPECT_EQ(collision.isCollisionAt(at(x, 0.3, 0.1)), expected) << x;
    EXPECT_EQ(without.isCollisionAt(at(x, 0.3, 0.1)), expected) << x;
    EXPECT_EQ(collision.isCollisionAt(at(x, 0.3, 0.1), elsewhere), expected) << x;
  }
  EXPECT_GT(hits, 50);
}

TEST(SceneCollision, AThingAnywhereIsHitLikeItsMeshWrittenIntoTheMap) {
  const gs::TriangleMesh thing = box(1.2f);
  const SceneCollision collision(emptyWorld(), {nullptr, &thing}, {});
  gs::Rng rng(3);
  int hits = 0;
  for (int n = 0; n < 300; ++n) {
    const gs::Rigid3 pose{
        gs::fromRollPitchYaw(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-3, 3)),
        gs::Vec3(rng.uniform(-3, 6), rng.uniform(-3, 3), rng.uniform(-1, 1.5))};
    gs::TriangleMesh written = thing;
    written.triangles.erase(written.triangles.begin(), written.triangles.begin() + 2);
    written.positions.pop_back();
    for (auto& p : written.positions) {
      const gs::Vec3 there = pose * gs::Vec3(p[0], p[1], p[2]);
      p = {static_cast<float>(there.x()), static_cast<float>(there.y()),
           static_cast<float>(there.z())};
    }
    const SceneCollision in_map(emptyWorld(), {nullptr, &written}, {});
    const EgoPose ego = at(0.5, -0.2, 0.3);
    const bool expected = in_map.isCollisionAt(ego, sceneOf({}));
    hits += expected;
    EXPECT_EQ(collision.isCollisionAt(ego, sceneOf(pose)), expected) << n;
  }
  EXPECT_GT(hits, 50);
  EXPECT_LT(hits, 250);
}

TEST(SceneCollision, RefusesScenesThatAreNotSound) {
  const gs::TriangleMesh thing = box(1);
  const SceneCollision collision(emptyWorld(), {nullptr, &thing, nullptr}, {});
  EXPECT_FALSE(collision.isCollisionAt(at(0), sceneOf({}, 2))) << "an asset without a mesh";
  EXPECT_THROW(collision.isCollisionAt(at(0), sceneOf({}, 3)), gs::Error);
  EXPECT_THROW(collision.isCollisionAt(at(0), sceneOf(placed(kNaN, 0))), gs::Error);
}

}  // namespace
}  // namespace gs_sim
