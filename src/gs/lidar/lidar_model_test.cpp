// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const LidarSpec kSpec{.channels = 16,
                      .horizontal_resolution_deg = 1,
                      .vertical_fov_deg = {-30, 10},
                      .max_range = 60,
                      .min_range = 1};

// 100 m x 100 m of ground at height 0, and a wall of the mesh at x = 20.
struct FlatWorld {
  Heightmap ground{.origin_x = -50, .origin_y = -50, .resolution = 1, .width = 101, .height = 101};
  TriangleMesh wall{.positions = {{20, -50, -1}, {20, 50, -1}, {20, -50, 30}, {20, 50, 30}},
                    .triangles = {{0, 1, 2}, {1, 3, 2}}};

  FlatWorld() { ground.samples.assign(101 * 101, 0.0f); }
};

// What a LiDAR two metres above the ground sees.
struct Shot {
  FlatWorld world;
  LidarSpec spec = kSpec;
  LidarRayTable rays;  // empty: it turns as the spec says
  Rigid3 map_from_base;
  std::optional<BodyTwist> twist;
  std::optional<LidarNoise> noise;
  uint64_t seed = 1;
  int64_t step = 0;

  LidarModel model(const LidarWorld& surfaces) const {
    LidarCalibration lidar{.frame_id = "lidar_top",
                           .extrinsics = {.translation = {0, 0, 2}},
                           .spec = spec,
                           .rate_hz = 10};
    if (!rays.rows.empty()) lidar.spec.pattern = "sensors/rays_top.csv";
    return LidarModel("top", lidar, {.rays = &rays, .seed = seed, .world = &surfaces.reflectivity});
  }
  SweepPoses poses(const LidarModel& model) const {
    if (!twist) return SweepPoses(map_from_base * model.baseFromLidar());
    return SweepPoses(map_from_base, *twist, model.baseFromLidar(), model.period());
  }
  LidarScan scan() const {
    const LidarWorld surfaces(&world.ground, &world.wall);
    const LidarModel lidar = model(surfaces);
    return lidar.sweep(surfaces, poses(lidar), noise, {1000}, step);
  }
};

// A spiral that begins ahead and winds outwards: rays in no grid.
LidarRayTable spiral(int count) {
  LidarRayTable table;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / count, angle = 200 * part;
    table.rows.push_back({30 * part * std::cos(angle), 30 * part * std::sin(angle), 0.1 * part,
                          static_cast<uint16_t>(i % 6)});
  }
  return table;
}

double rangeOf(const LidarScan& scan, size_t i) {
  return std::hypot(scan.x[i], scan.y[i], scan.z[i]);
}

TEST(LidarModel, MeasuresGroundAndWallFromItsOwnFrame) {
  const LidarScan scan = Shot{}.scan();
  EXPECT_EQ(scan.lidar_id, "top");
  EXPECT_EQ(scan.frame_id, "lidar_top");
  EXPECT_EQ(scan.stamp.ns, 1000);
  size_t on_wall = 0;
  ASSERT_GT(scan.size(), 3000u);
  for (size_t i = 0; i < scan.size(); ++i) {
    const bool is_wall = std::abs(scan.x[i] - 20) < 1e-3;
    on_wall += is_wall;
    ASSERT_TRUE(is_wall || std::abs(scan.z[i] + 2) < 1e-3) << i;
    const double range = rangeOf(scan, i);
    ASSERT_TRUE(range >= 1 && range <= 60);
    ASSERT_TRUE(scan.intensity[i] >= 0 && scan.intensity[i] <= 255);
    ASSERT_EQ(scan.time_offset_ns[i], 0u);
    const double elevation = std::asin(scan.z[i] / range) * 180 / std::numbers::pi;
    ASSERT_NEAR(elevation, -30 + 40.0 * scan.ring[i] / 15, 1e-3);
  }
  EXPECT_GT(on_wall, 300u);
}

TEST(LidarModel, UnevenBeamsBeginWhereTheTableSays) {
  const LidarSpec spec{.channels = 3,
                       .horizontal_resolution_deg = 1,
                       .vertical_angles_deg = {-20, -9, -8},
                       .vertical_offsets = {{0.1, 0.1, 0.2}},
                       .max_range = 60,
                       .min_range = 1};
  const LidarScan scan = Shot{.spec = spec}.scan();
  ASSERT_GT(scan.size(), 900u);
  for (size_t i = 0; i < scan.size(); ++i) {
    ASSERT_TRUE(std::abs(scan.x[i] - 20) < 1e-3 || std::abs(scan.z[i] + 2) < 1e-3) << i;
    const double rise = scan.z[i] - (*spec.vertical_offsets)[scan.ring[i]];
    const double tilt = std::atan2(rise, std::hypot(scan.x[i], scan.y[i]));
    ASSERT_NEAR(tilt * 180 / std::numbers::pi, spec.vertical_angles_deg[scan.ring[i]], 1e-3);
  }
}

TEST(LidarModel, IntensitiesKeepTheScaleOfTheLog) {
  const auto usual_of = [](const LidarSpec& spec) {
    LidarScan scan = Shot{.spec = spec}.scan();
    std::sort(scan.intensity.begin(), scan.intensity.end());
    return std::pair(scan.intensity[scan.size() / 2], scan.intensity.back());
  };
  LidarSpec spec = kSpec;
  EXPECT_GT(usual_of(spec).first, 10);  // of 255
  spec.intensity_max = 1;
  EXPECT_LE(usual_of(spec).second, 1);
  for (const double usual : {0.1, 0.28}) {
    spec.usual_intensity = usual;
    const auto [middle, largest] = usual_of(spec);
    EXPECT_GT(middle, 0.6 * usual);
    EXPECT_LT(middle, 1.6 * usual);
    EXPECT_LE(largest, 1);
  }
}

TEST(LidarModel, MayHaveASingleRay) {
  const LidarScan scan = Shot{
      .spec = {
          .channels = 1,
          .horizontal_resolution_deg = 360,
          .vertical_fov_deg = {-45, -45},
          .max_range = 60,
          .min_range = 1}}.scan();
  ASSERT_EQ(scan.size(), 1u);
  EXPECT_NEAR(rangeOf(scan, 0), 2 * std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(scan.x[0], -2, 1e-4);  // backwards
}

TEST(LidarModel, SeesWhatIsInReachAndNothingOutsideTheMap) {
  Shot far;
  far.map_from_base.translation.x() = 1e6;
  EXPECT_EQ(far.scan().size(), 0u);
  far.map_from_base.translation.x() = 1e300;
  EXPECT_EQ(far.scan().size(), 0u);
  Shot nothing;
  nothing.world.ground = {};
  nothing.world.wall = {};
  EXPECT_EQ(nothing.scan().size(), 0u);
}

TEST(LidarModel, ShootsEachColumnFromWhereTheSensorIsThen) {
  const LidarScan scan = Shot{.twist = BodyTwist{.linear = {10, 0, 0}}}.scan();
  size_t on_wall = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.z[i] + 2) < 1e-3) continue;
    ++on_wall;
    ASSERT_NEAR(scan.x[i] + 10 * 1e-9 * scan.time_offset_ns[i], 20, 2e-3) << "in the map";
  }
  EXPECT_GT(on_wall, 300u);
  EXPECT_GT(scan.time_offset_ns.back(), 99'000'000u);
}

TEST(LidarModel, FollowsTheArcOfATurningVehicle) {
  // Points of the wall, carried into the map by the pose at their time, lie on the wall.
  const LidarScan scan =
      Shot{.twist = BodyTwist{.linear = {5, 0, 0}, .angular = {0, 0, 0.5}}}.scan();
  size_t on_wall = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.z[i] + 2) < 1e-3) continue;
    const double t = 1e-9 * scan.time_offset_ns[i], yaw = 0.5 * t;
    const double x = 5 / 0.5 * std::sin(yaw);  // of a circle with radius 10 m
    ASSERT_NEAR(x + std::cos(yaw) * scan.x[i] - std::sin(yaw) * scan.y[i], 20, 5e-3);
    ++on_wall;
  }
  EXPECT_GT(on_wall, 300u);
}

TEST(LidarModel, NoiseHasItsDeviationAndItsSeed) {
  Shot shot;
  const LidarScan exact = shot.scan();
  shot.noise = {.range_deviation = 0.05};
  const LidarScan noisy = shot.scan();
  ASSERT_EQ(noisy.size(), exact.size());
  double square = 0, sum = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    const double error = rangeOf(noisy, i) - rangeOf(exact, i);
    sum += error;
    square += error * error;
  }
  const auto count = static_cast<double>(exact.size());
  EXPECT_NEAR(std::sqrt(square / count), 0.05, 0.003);
  EXPECT_NEAR(sum / count, 0, 0.004);
  EXPECT_EQ(shot.scan().x, noisy.x) << "the same step again";
  shot.step = 1;
  EXPECT_NE(shot.scan().x, noisy.x);
  shot.step = 0;
  shot.seed = 2;
  EXPECT_NE(shot.scan().x, noisy.x);
}

TEST(LidarModel, LosesTheShareOfPointsThatItShould) {
  Shot shot;
  const auto all = static_cast<double>(shot.scan().size());
  shot.noise = {.dropout = 0.25};
  EXPECT_NEAR(static_cast<double>(shot.scan().size()) / all, 0.75, 0.03);
  shot.noise->dropout = 1;
  EXPECT_EQ(shot.scan().size(), 0u);
}

TEST(LidarModel, GivesTheSameForAnyNumberOfThreads) {
  const Shot shot{.twist = BodyTwist{.linear = {10, 0, 0}},
                  .noise = LidarNoise{.range_deviation = 0.02, .dropout = 0.1}};
  setThreadCount(1);
  const LidarScan one = shot.scan();
  setThreadCount(8);
  const LidarScan eight = shot.scan();
  setThreadCount(0);
  EXPECT_EQ(one.x, eight.x);
  EXPECT_EQ(one.z, eight.z);
  EXPECT_EQ(one.intensity, eight.intensity);
  EXPECT_EQ(one.ring, eight.ring);
  EXPECT_EQ(one.time_offset_ns, eight.time_offset_ns);
}

TEST(LidarModel, TakesReflectivityFromTheMesh) {
  Shot shot;
  shot.world.wall.colors.assign(4, {9, 9, 9, 255});
  EXPECT_TRUE(meshReflectivity(shot.world.wall).empty()) << "opaque is not a measurement";
  shot.world.wall.colors.assign(4, {9, 9, 9, 51});
  const LidarScan scan = shot.scan();
  size_t ahead = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    if (std::abs(scan.x[i] - 20) > 1e-3) continue;
    const double cosine = 20 / rangeOf(scan, i);
    ASSERT_NEAR(scan.intensity[i], 51 * std::sqrt(cosine), 0.1);
    ++ahead;
  }
  EXPECT_GT(ahead, 300u);
}

TEST(LidarModel, ShootsAnyListOfRaysInItsOrder) {
  const Shot shot{.rays = spiral(1000), .twist = BodyTwist{.linear = {10, 0, 0}}};
  const LidarScan scan = shot.scan();
  ASSERT_GT(scan.size(), 600u);
  size_t on_wall = 0;
  for (size_t i = 0; i < scan.size(); ++i) {
    ASSERT_TRUE(i == 0 || scan.time_offset_ns[i] >= scan.time_offset_ns[i - 1]);
    const auto& row = shot.rays.rows[std::lround(scan.time_offset_ns[i] * 1e-5)];
    ASSERT_EQ(scan.ring[i], row.ring);
    ASSERT_NEAR(std::atan2(scan.y[i], scan.x[i]) * 180 / std::numbers::pi, row.azimuth_deg, 1e-3);
    if (std::abs(scan.z[i] + 2) < 1e-3) continue;
    ++on_wall;
    ASSERT_NEAR(scan.x[i] + 10 * 1e-9 * scan.time_offset_ns[i], 20, 2e-3) << "in the map";
  }
  EXPECT_GT(on_wall, 300u);
  EXPECT_TRUE(scan.return_index.empty());
}

// Eight at once and in single precision, against one by one as a ray is defined.
TEST(LidarModel, EveryRayMeetsWhatItsDefinitionMeets) {
  Shot turning{.twist = BodyTwist{.linear = {8, 1, 0}, .angular = {0.1, 0, 0.6}}};
  turning.map_from_base = {Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized())), {3, 4, 0.5}};
  Shot listed = turning;
  listed.rays = spiral(997);
  for (const Shot& shot : {turning, listed}) {
    const LidarWorld surfaces(&shot.world.ground, &shot.world.wall);
    const LidarModel model = shot.model(surfaces);
    const SweepPoses poses = shot.poses(model);
    const std::vector<RayReturn> returns = model.returns(surfaces, poses, {}, 0);
    ASSERT_EQ(returns.size(), model.pattern().rays.size());
    size_t met = 0;
    for (size_t i = 0; i < returns.size(); ++i) {
      const LidarRay& ray = model.pattern().rays[i];
      const RayInMap plain = rayInMap(ray, poses.at(model.pattern().moments[ray.moment].part));
      RayOctet one{};
      one.set(0, surfaces.surfaces.toLocal(plain.from), plain.way.cast<float>(), 60);
      surfaces.surfaces.castSingly(one);
      const bool is_hit = one.surface[0] != HitSurface::Nothing && one.range[0] >= 1;
      const float expected = is_hit ? one.range[0] : 0;
      if (std::abs(expected - 60) < 0.1f || returns[i].range > 59.9f) continue;
      ASSERT_NEAR(returns[i].range, expected, 2e-3 * std::max(1.0f, expected)) << i;
      met += is_hit;
    }
    EXPECT_GT(met, returns.size() / 3);
  }
}

TEST(LidarModel, SeesWhatMovesWhereItIs) {
  const Shot shot;
  // A plate of two by two metres that looks backwards, as dark as 51 of 255.
  TriangleMesh plate{.positions = {{0, -1, 0}, {0, 1, 0}, {0, -1, 2}, {0, 1, 2}},
                     .triangles = {{0, 1, 2}, {1, 3, 2}}};
  plate.colors.assign(4, {9, 9, 9, 51});
  const LidarWorld world(&shot.world.ground, {&shot.world.wall, &plate});
  const LidarModel model = shot.model(world);
  const LidarScan alone = model.sweep(world, shot.poses(model), {}, {1000}, 0);
  for (const double x : {6.0, 11.0}) {
    SceneState state;
    const Rigid3 map_from_plate{Quat::Identity(), {x, 0, 1}};
    state.instances.push_back({.asset = 1, .map_from_asset = {map_from_plate, map_from_plate}});
    const LidarScan scan = model.sweep(LidarScene(world, state), shot.poses(model), {}, {1000}, 0);
    EXPECT_GE(scan.size(), alone.size());
    size_t on_plate = 0;
    for (size_t i = 0; i < scan.size(); ++i) {
      if (std::abs(scan.x[i] - x) > 1e-3 || std::abs(scan.z[i] + 2) < 1e-3) continue;
      ++on_plate;
      ASSERT_LE(std::abs(scan.y[i]), 1 + 1e-3);
      ASSERT_NEAR(scan.intensity[i], 51 * std::sqrt(x / rangeOf(scan, i)), 0.1);
    }
    EXPECT_GT(on_plate, 20u);
  }
}

TEST(LidarReflectivity, TheGroundTakesThatOfTheMeshOnIt) {
  FlatWorld world;
  // On the ground 51 (0.2), half a metre above it 204 (0.8).
  TriangleMesh mesh;
  for (int i = 0; i < 41 * 41; ++i)
    for (const float z : {0.02f, 0.5f}) {
      mesh.positions.push_back(
          {0.5f * static_cast<float>(i % 41), 0.5f * static_cast<float>(i / 41), z});
      mesh.colors.push_back({9, 9, 9, static_cast<uint8_t>(z < 0.1f ? 51 : 204)});
    }
  mesh.triangles = {{1, 3, 83}};
  const SurfaceReflectivity known(mesh, &world.ground);
  EXPECT_NEAR(known.ofGround(7.3, 4.4).value(), 0.2, 1e-6);
  EXPECT_FALSE(known.ofGround(-30, -30)) << "no mesh there";
  EXPECT_FALSE(known.ofGround(kNaN, 0));
  EXPECT_NEAR(known.ofMesh(0, 0.3f, 0.3f).value(), 0.8, 1e-6);
  EXPECT_FALSE(SurfaceReflectivity().ofMesh(0, 0, 0));
}

}  // namespace
}  // namespace gs
