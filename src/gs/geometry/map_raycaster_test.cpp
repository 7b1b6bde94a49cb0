// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/map_raycaster.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

// 40 m x 40 m at height 1, far from the map's zero, with a hole in the middle 2 m.
Heightmap plate() {
  Heightmap map{
      .origin_x = 100'000, .origin_y = -50'000, .resolution = 0.5, .width = 81, .height = 81};
  map.samples.assign(81 * 81, 1.0f);
  for (int row = 39; row <= 41; ++row)
    for (int col = 39; col <= 41; ++col) map.samples[row * 81 + col] = kHole;
  return map;
}

// A wall across x = 10 of the plate.
TriangleMesh wall() {
  return {.positions = {{100'010, -50'000, 0}, {100'010, -49'960, 0}, {100'010, -49'980, 40}},
          .triangles = {{0, 1, 2}}};
}

RayOctet one(const MapRaycaster& world, const Vec3& from, const Vec3& way, float reach = 100) {
  RayOctet rays{};
  rays.set(0, world.toLocal(from), way.normalized().cast<float>(), reach);
  world.cast(rays);
  return rays;
}

TEST(MapRaycaster, MeetsTheNearerOfGroundAndMesh) {
  const Heightmap ground = plate();
  const TriangleMesh mesh = wall();
  const MapRaycaster world(&ground, &mesh);
  const Vec3 from(100'005, -49'980, 3);
  const RayOctet down = one(world, from, {0, 0, -1});
  EXPECT_EQ(down.surface[0], HitSurface::Ground);
  EXPECT_NEAR(down.range[0], 2, 1e-5);
  EXPECT_NEAR(down.cos_incidence[0], 1, 1e-6);
  const RayOctet ahead = one(world, from, {1, 0, 0});
  EXPECT_EQ(ahead.surface[0], HitSurface::Mesh);
  EXPECT_NEAR(ahead.range[0], 5, 1e-5);
  EXPECT_EQ(ahead.triangle[0], 0u);
  const RayOctet slanted = one(world, from, {-1, 0, -1});
  EXPECT_NEAR(slanted.range[0], 2 * std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(slanted.cos_incidence[0], std::sqrt(0.5), 1e-5);
}

TEST(MapRaycaster, SeesNothingBeyondItsReachInHolesAndInTheSky) {
  const Heightmap ground = plate();
  const MapRaycaster world(&ground, nullptr);
  const Vec3 from(100'005, -49'980, 3);
  EXPECT_EQ(one(world, from, {0, 0, -1}, 1.9f).surface[0], HitSurface::Nothing);
  EXPECT_EQ(one(world, from, {0, 0, 1}).surface[0], HitSurface::Nothing);
  EXPECT_EQ(one(world, {100'020, -49'980, 3}, {0, 0, -1}).surface[0], HitSurface::Nothing);
  EXPECT_EQ(one(world, {0, 0, 3}, {0, 0, -1}).surface[0], HitSurface::Nothing) << "off the map";
}

TEST(MapRaycaster, LeavesOutWhatIsNotSoundInAMesh) {
  TriangleMesh mesh = wall();
  mesh.positions.push_back({kHole, 0, 0});
  mesh.triangles = {{0, 1, 3}, {0, 1, 99}, {0, 1, 2}};
  const Heightmap ground = plate();
  const MapRaycaster world(&ground, &mesh);
  const RayOctet hit = one(world, {100'005, -49'980, 3}, {1, 0, 0});
  EXPECT_EQ(hit.surface[0], HitSurface::Mesh);
  EXPECT_EQ(hit.triangle[0], 2u) << "counted as in the mesh";
}

TEST(MapRaycaster, CanBeEmpty) {
  const TriangleMesh mesh;
  const MapRaycaster world(nullptr, &mesh);
  EXPECT_EQ(one(world, {0, 0, 3}, {0, 0, -1}).surface[0], HitSurface::Nothing);
}

TEST(MapRaycaster, OctetsAgreeWithSingleRays) {
  Heightmap ground = plate();
  Rng rng(1);
  for (float& z : ground.samples) z += static_cast<float>(0.1 * rng.normal());
  const TriangleMesh mesh = wall();
  const MapRaycaster world(&ground, &mesh);
  int hits = 0;
  for (int n = 0; n < 500; ++n) {
    RayOctet rays{};
    for (int lane = 0; lane < 8; ++lane)
      if (rng.uniform() < 0.9)
        rays.set(lane, world.toLocal({100'005, -49'980, 3}),
                 Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 0.3))
                     .normalized()
                     .cast<float>(),
                 30);
    RayOctet singles = rays;
    world.cast(rays);
    world.castSingly(singles);
    for (int lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(rays.surface[lane], singles.surface[lane]);
      if (rays.surface[lane] == HitSurface::Nothing) continue;
      ++hits;
      EXPECT_NEAR(rays.range[lane], singles.range[lane], 1e-4);
      EXPECT_NEAR(rays.cos_incidence[lane], singles.cos_incidence[lane], 1e-4);
    }
  }
  EXPECT_GT(hits, 1500);
}

TEST(MapRaycaster, RaysThatAreNotFiniteMeetNothing) {
  const Heightmap ground = plate();
  const MapRaycaster world(&ground, nullptr);
  RayOctet rays{};
  rays.set(0, Vec3f(0, 0, 3), Vec3f(kHole, 0, -1), 100);
  rays.set(1, Vec3f(kHole, 0, 3), Vec3f(0, 0, -1), 100);
  rays.set(2, Vec3f(0, 0, 3), Vec3f(0, 0, 0), 100);
  rays.set(3, Vec3f(5, 0, 3), Vec3f(0, 0, -1), 100);
  rays.set(4, Vec3f(1e30f, 0, 3), Vec3f(0, 0, -1), 100);
  rays.set(5, Vec3f(5, 0, 3), Vec3f(0, 0, -1), kHole);
  RayOctet singles = rays;
  world.cast(rays);
  world.castSingly(singles);
  for (const RayOctet& cast : {rays, singles}) {
    for (const int lane : {0, 1, 2, 4, 5}) EXPECT_EQ(cast.surface[lane], HitSurface::Nothing);
    EXPECT_EQ(cast.surface[3], HitSurface::Ground);
  }
}

}  // namespace
}  // namespace gs
