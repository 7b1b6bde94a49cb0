// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/map_raycaster.hpp"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
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

// A box of 4 m x 2 m x 1.5 m on its own zero, with a triangle that is none before the others.
TriangleMesh box() {
  TriangleMesh mesh{.positions = {{kHole, 0, 0}}, .triangles = {{0, 0, 0}}};
  for (int corner = 0; corner < 8; ++corner)
    mesh.positions.push_back(
        {corner & 1 ? 2.0f : -2.0f, corner & 2 ? 1.0f : -1.0f, corner & 4 ? 1.5f : 0.0f});
  const std::array<std::array<uint32_t, 4>, 6> sides = {
      {{1, 2, 4, 3}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 4, 8, 7}, {1, 3, 7, 5}, {2, 4, 8, 6}}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

SceneInstance boxAt(const Vec3& place, const Quat& rotation = Quat::Identity()) {
  return {.asset = 1, .map_from_asset = Rigid3{rotation, place}};
}

SceneState sceneOf(const std::vector<SceneInstance>& instances) {
  SceneState scene;
  scene.instances.insert(scene.instances.end(), instances.begin(), instances.end());
  return scene;
}

RayOctet oneOf(const PosedMap& world, const Vec3& from, const Vec3& way, float reach = 100) {
  RayOctet rays{};
  rays.set(0, world.toLocal(from), way.normalized().cast<float>(), reach);
  world.cast(rays);
  return rays;
}

// Rays in all directions from above the plate, as flat as those of a LiDAR.
RayOctet randomRays(const PosedMap& world, Rng& rng) {
  RayOctet rays{};
  for (int lane = 0; lane < 8; ++lane)
    if (rng.uniform() < 0.9)
      rays.set(lane, world.toLocal({100'020, -49'975, 4}),
               Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-0.4, 0.05))
                   .normalized()
                   .cast<float>(),
               30);
  return rays;
}

SceneState traffic(size_t count, uint64_t seed) {
  Rng rng(seed);
  SceneState scene;
  for (size_t i = 0; i < count; ++i)
    scene.instances.push_back(
        boxAt({100'000 + rng.uniform(2, 38), -50'000 + rng.uniform(2, 38), rng.uniform(1, 3)},
              fromRollPitchYaw(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0, 6))));
  return scene;
}

TEST(PosedMap, MeetsAnInstanceWhereItStandsAndTellsWhichOneAndWhere) {
  const Heightmap ground = plate();
  const TriangleMesh mesh = wall(), car = box();
  const MapRaycaster map(&ground, {&mesh, &car});
  // Turned by 30 degrees, its front face is 2 m ahead of its middle along its x.
  const Quat turn = fromRollPitchYaw(0, 0, M_PI / 6);
  const PosedMap world =
      map.posed(sceneOf({boxAt({100'030, -49'980, 1}), boxAt({100'020, -49'970, 1}, turn)}));
  const Vec3 from(100'010.5, -49'970, 1.7);
  const RayOctet hit = oneOf(world, from, {1, 0, 0});
  EXPECT_EQ(hit.surface[0], HitSurface::Mesh);
  EXPECT_EQ(hit.instance[0], 2u);
  // Straight into the long side: 1 m from the middle, at 60 degrees to its normal.
  EXPECT_NEAR(hit.range[0], 9.5 - 1 / std::sin(M_PI / 6), 1e-4);
  EXPECT_NEAR(hit.cos_incidence[0], std::sin(M_PI / 6), 1e-5);
  // The triangle and the place in it, in the asset's frame, are where the ray ended.
  const auto& t = car.triangles.at(hit.triangle[0]);
  const auto corner = [&](size_t k) {
    const auto& p = car.positions[t[k]];
    return Vec3(p[0], p[1], p[2]);
  };
  const Vec3 p_in_asset = corner(0) + double{hit.u[0]} * (corner(1) - corner(0)) +
                          double{hit.v[0]} * (corner(2) - corner(0));
  const Vec3 p_in_map = turn * p_in_asset + Vec3(100'020, -49'970, 1);
  EXPECT_LT((p_in_map - (from + Vec3(hit.range[0], 0, 0))).norm(), 1e-3);

  const RayOctet roof = oneOf(world, {100'030, -49'980, 10}, {0, 0, -1});
  EXPECT_EQ(roof.instance[0], 1u);
  EXPECT_NEAR(roof.range[0], 7.5, 1e-5);
  const RayOctet road = oneOf(world, {100'025, -49'990, 10}, {0, 0, -1});
  EXPECT_EQ(road.surface[0], HitSurface::Ground);
  EXPECT_EQ(road.instance[0], 0u);
  const RayOctet facade = oneOf(world, {100'005, -49'980, 3}, {1, 0, 0});
  EXPECT_EQ(facade.surface[0], HitSurface::Mesh) << "the wall hides the box behind it";
  EXPECT_EQ(facade.instance[0], 0u);
  EXPECT_EQ(facade.triangle[0], 0u);
}

TEST(PosedMap, OctetsAgreeWithSingleRays) {
  const Heightmap ground = plate();
  const TriangleMesh mesh = wall(), car = box();
  const MapRaycaster map(&ground, {&mesh, &car});
  const PosedMap world = map.posed(traffic(12, 3));
  Rng rng(1);
  int hits = 0;
  for (int n = 0; n < 1000; ++n) {
    RayOctet rays = randomRays(world, rng), singles = rays;
    world.cast(rays);
    world.castSingly(singles);
    for (int lane = 0; lane < 8; ++lane) {
      ASSERT_EQ(rays.surface[lane], singles.surface[lane]);
      if (rays.surface[lane] == HitSurface::Nothing) continue;
      EXPECT_NEAR(rays.range[lane], singles.range[lane], 1e-4);
      EXPECT_EQ(rays.instance[lane], singles.instance[lane]);
      EXPECT_NEAR(rays.cos_incidence[lane], singles.cos_incidence[lane], 1e-3);
      hits += rays.instance[lane] > 0;
    }
  }
  EXPECT_GT(hits, 400);
}

TEST(PosedMap, MeetsWhatOneMeshOfEverythingInItsPlaceMeets) {
  const Heightmap ground = plate();
  const TriangleMesh car = box();
  const SceneState scene = traffic(12, 4);
  TriangleMesh written = wall();
  for (size_t i = 1; i < scene.instances.size(); ++i) {
    const auto first = static_cast<uint32_t>(written.positions.size());
    for (const auto& p : car.positions) {
      // In the map's floats only a centimetre is left of a place, this far from its zero.
      const Vec3 there = scene.instances[i].map_from_asset.begin * Vec3(p[0], p[1], p[2]);
      written.positions.push_back({static_cast<float>(there.x()), static_cast<float>(there.y()),
                                   static_cast<float>(there.z())});
    }
    for (const auto& t : car.triangles)
      written.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  const TriangleMesh mesh = wall();
  const MapRaycaster map(&ground, {&mesh, &car}), whole(&ground, &written);
  const PosedMap world = map.posed(scene);
  Rng rng(2);
  int different = 0, hits = 0;
  for (int n = 0; n < 1000; ++n) {
    RayOctet rays = randomRays(world, rng), expected = rays;
    world.cast(rays);
    whole.cast(expected);
    for (int lane = 0; lane < 8; ++lane) {
      hits += rays.surface[lane] != HitSurface::Nothing && rays.instance[lane] > 0;
      different += rays.surface[lane] != expected.surface[lane] ||
                   std::abs(rays.range[lane] - expected.range[lane]) > 0.1f;
    }
  }
  EXPECT_GT(hits, 1000);
  EXPECT_LT(different, 80) << "only at edges";
}

TEST(PosedMap, OfTheBackgroundAloneGivesTheBytesOfTheMap) {
  const Heightmap ground = plate();
  const TriangleMesh mesh = wall(), car = box();
  const MapRaycaster plain(&ground, &mesh), map(&ground, {&mesh, &car});
  const PosedMap alone = map.posed(backgroundOnly());
  // Beside what stands far away, too.
  const PosedMap beside = map.posed(sceneOf({boxAt({0, 0, 0}), boxAt({1e300, 0, 0})}));
  Rng rng(6);
  for (int n = 0; n < 300; ++n) {
    RayOctet expected = randomRays(alone, rng), one = expected, two = expected;
    plain.cast(expected);
    alone.cast(one);
    beside.cast(two);
    for (const RayOctet& actual : {one, two})
      for (int lane = 0; lane < 8; ++lane) {
        ASSERT_EQ(actual.surface[lane], expected.surface[lane]);
        if (actual.surface[lane] == HitSurface::Nothing) continue;
        EXPECT_EQ(actual.range[lane], expected.range[lane]);
        EXPECT_EQ(actual.cos_incidence[lane], expected.cos_incidence[lane]);
        EXPECT_EQ(actual.triangle[lane], expected.triangle[lane]);
        EXPECT_EQ(actual.u[lane], expected.u[lane]);
        EXPECT_EQ(actual.v[lane], expected.v[lane]);
        EXPECT_EQ(actual.instance[lane], 0u);
      }
  }
}

TEST(PosedMap, GivesTheSameBytesForAnyNumberOfThreadsAndLidarsAtOnce) {
  const Heightmap ground = plate();
  const TriangleMesh mesh = wall(), car = box();
  const MapRaycaster map(&ground, {&mesh, &car});
  const SceneState scene = traffic(20, 8);
  // Each LiDAR poses the scene for itself and asks on all threads.
  const auto sweep = [&](uint64_t seed) {
    const PosedMap world = map.posed(scene);
    std::vector<RayOctet> octets;
    Rng rng(seed);
    for (int n = 0; n < 400; ++n) octets.push_back(randomRays(world, rng));
    parallelFor(octets.size(), 16, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) world.cast(octets[i]);
    });
    return octets;
  };
  setThreadCount(1);
  const std::vector<std::vector<RayOctet>> expected = {sweep(1), sweep(2), sweep(3)};
  for (const int threads : {2, 8}) {
    setThreadCount(threads);
    std::vector<std::vector<RayOctet>> actual(3);
    parallelFor(3, 1, [&](size_t i, size_t) { actual[i] = sweep(i + 1); });
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(
          std::memcmp(actual[i].data(), expected[i].data(), actual[i].size() * sizeof(RayOctet)),
          0);
  }
  setThreadCount(0);
}

TEST(PosedMap, LeavesOutAssetsWithoutAMeshAndRefusesUnknownOnes) {
  const Heightmap ground = plate();
  const TriangleMesh nothing, car = box();
  const MapRaycaster map(&ground, {nullptr, nullptr, &nothing, &car});
  const Vec3 place(100'005, -49'980, 1), from = place + Vec3(0, 0, 9);
  const auto surfaceOver = [&](uint32_t asset) {
    const PosedMap world =
        map.posed(sceneOf({{.asset = asset, .map_from_asset = Rigid3{Quat::Identity(), place}}}));
    return oneOf(world, from, {0, 0, -1}).surface[0];
  };
  EXPECT_EQ(surfaceOver(1), HitSurface::Ground);
  EXPECT_EQ(surfaceOver(2), HitSurface::Ground);
  EXPECT_EQ(surfaceOver(3), HitSurface::Mesh);
  EXPECT_THROW(surfaceOver(4), Error);
  EXPECT_THROW(
      map.posed(sceneOf({{.asset = 3, .map_from_asset = Rigid3{Quat(0, 0, 0, 0), place}}})), Error);
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
