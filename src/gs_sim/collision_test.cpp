// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/collision.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs_sim/planar_pose.hpp"

namespace gs_sim {
namespace {

EgoPose at(double x, double y = 0, double yaw = 0) {
  return egoPoseOf({.x = x, .y = y, .yaw = yaw}, {});
}

gs::Heightmap flat() {
  gs::Heightmap map{
      .origin_x = -20, .origin_y = -20, .resolution = 0.1, .width = 601, .height = 401};
  map.samples.assign(601 * 401, 0.0f);
  return map;
}

// Raises the ground to `height` for x in [x0, x1], everywhere in y.
std::shared_ptr<const gs::Heightmap> withBump(double x0, double x1, float height) {
  gs::Heightmap map = flat();
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col) {
      const double x = map.origin_x + col * map.resolution;
      if (x >= x0 && x <= x1) map.samples[static_cast<size_t>(row) * map.width + col] = height;
    }
  return std::make_shared<const gs::Heightmap>(std::move(map));
}

// An upright wall across the road at x, between two heights, and the road itself.
gs::TriangleMesh wallAt(float x, float bottom, float top) {
  return {.positions = {{x, -5, bottom},
                        {x, 5, bottom},
                        {x, 5, top},
                        {x, -5, top},
                        {-20, -5, 0},
                        {40, -5, 0},
                        {40, 5, 0},
                        {-20, 5, 0}},
          .triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}};
}

// The nose of the default car is wheelbase + overhang = 3.7 m ahead of base_link.
TEST(StepCollision, AStepHigherThanTheBumperIsHitWhenTheNoseReachesIt) {
  const auto collision = createStepCollision(withBump(10, 11, 0.5f), {});
  EXPECT_FALSE(collision->isCollisionAt(at(10 - 3.7 - 0.05)));
  EXPECT_TRUE(collision->isCollisionAt(at(10 - 3.7 + 0.05)));
  EXPECT_TRUE(collision->isCollisionAt(at(11 + 0.85)));  // the tail is still above it
  EXPECT_FALSE(collision->isCollisionAt(at(11 + 0.95)));
}

TEST(StepCollision, AKerbIsDrivenOver) {
  const auto collision = createStepCollision(withBump(10, 11, 0.15f), {});
  for (double x = 0; x < 20; x += 0.3) EXPECT_FALSE(collision->isCollisionAt(at(x)));
}

TEST(StepCollision, OffTheMapThereIsNothingToHit) {
  const auto collision = createStepCollision(withBump(10, 11, 5), {});
  EXPECT_FALSE(collision->isCollisionAt(at(1000, -1000)));
  EXPECT_FALSE(collision->isCollisionAt(at(1e300)));
}

TEST(MeshCollision, AWallIsHitWhenTheNoseReachesIt) {
  const auto collision = createMeshCollision(wallAt(10, 0, 2), flat(), {});
  EXPECT_FALSE(collision->isCollisionAt(at(6.25)));
  EXPECT_TRUE(collision->isCollisionAt(at(6.35)));
  EXPECT_TRUE(collision->isCollisionAt(at(9)));
  EXPECT_FALSE(collision->isCollisionAt(at(10.95)));
  EXPECT_TRUE(collision->isCollisionAt(at(10, 0, M_PI)));  // turned round, the tail is in it
}

TEST(MeshCollision, ARotatedBodyTouchesWithItsCorner) {
  // A post of 10 cm beside the road.
  gs::TriangleMesh post{.positions = {{5, 1.5, 0}, {5.1f, 1.5, 0}, {5, 1.6f, 2}},
                        .triangles = {{0, 1, 2}}};
  const auto collision = createMeshCollision(post, flat(), {});
  EXPECT_FALSE(collision->isCollisionAt(at(2)));
  EXPECT_TRUE(collision->isCollisionAt(at(2, 0, 0.4)));
  EXPECT_FALSE(collision->isCollisionAt(at(2, 0, -0.4)));
}

TEST(MeshCollision, WhatIsBelowTheBumperOrAboveTheRoofIsNot) {
  EXPECT_FALSE(createMeshCollision(wallAt(10, 0, 0.2f), flat(), {})->isCollisionAt(at(8)));
  EXPECT_FALSE(createMeshCollision(wallAt(10, 1.8f, 4), flat(), {})->isCollisionAt(at(8)));
  EXPECT_TRUE(createMeshCollision(wallAt(10, 1.5f, 4), flat(), {})->isCollisionAt(at(8)));
}

TEST(MeshCollision, AMeshWithoutTrianglesNeverCollides) {
  EXPECT_FALSE(createMeshCollision({}, flat(), {})->isCollisionAt(at(8)));
}

}  // namespace
}  // namespace gs_sim
