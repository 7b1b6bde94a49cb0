// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ctime>

#include <benchmark/benchmark.h>

#include "gs/geometry/testing/street_world.hpp"
#include "gs/lidar/lidar_model.hpp"
#include "gs/synthetic/rosette.hpp"

namespace gs {
namespace {

const LidarWorld& world() {
  static const LidarWorld instance = [] {
    const Heightmap ground = makeStreetGround();
    TriangleMesh mesh = makeStreetMesh();
    Rng rng(5);
    for (size_t i = 0; i < mesh.positions.size(); ++i)
      mesh.colors.push_back({9, 9, 9, static_cast<uint8_t>(rng.uniform(0, 250))});
    return LidarWorld(&ground, &mesh);
  }();
  return instance;
}

LidarCalibration spinning() {
  return {.extrinsics = {.translation = {0, 0, 2.3}},
          .spec = {.channels = 128,
                   .horizontal_resolution_deg = 0.2,
                   .vertical_fov_deg = {-25, 15},
                   .max_range = 200,
                   .min_range = 0.5},
          .rate_hz = 10};
}

// Whole sweeps of a car that drives a curve, points and intensities included. The rates do not mind
// who else uses the machine: by processor time, on average and in the best sweep.
void benchSweep(benchmark::State& state, const LidarModel& model) {
  const SweepPoses poses(Rigid3{Quat::Identity(), {0, 0, 0.4}},
                         {.linear = {11, 0, 0}, .angular = {0, 0, 0.5}}, model.baseFromLidar(),
                         model.period());
  const LidarNoise noise{.range_deviation = 0.02, .dropout = 0.05};
  const double rays = static_cast<double>(model.pattern().rays.size());
  const LidarScan check = model.sweep(world(), poses, noise, {}, 0);
  if (static_cast<double>(check.size()) < 0.5 * rays)
    return state.SkipWithError("most rays of a street come back");
  double cpu = 0, best = 1e9;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    benchmark::DoNotOptimize(model.sweep(world(), poses, noise, {}, 1));
    const double cost = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    cpu += cost;
    best = std::min(best, cost);
  }
  state.counters["Mray/s_per_core"] = 1e-6 * rays * static_cast<double>(state.iterations()) / cpu;
  state.counters["best_per_core"] = 1e-6 * rays / best;
}

void benchSpinning(benchmark::State& state) {
  benchSweep(state, LidarModel("top", spinning(), {.world = &world().reflectivity}));
}
// As many rays as above, from a table whose neighbours in time are no neighbours in space.
void benchRosette(benchmark::State& state) {
  LidarCalibration lidar = spinning();
  lidar.spec.pattern = "sensors/rays_top.csv";
  const LidarRayTable rays = makeRosette({.shots = 57'600});
  benchSweep(state, LidarModel("top", lidar, {.rays = &rays, .world = &world().reflectivity}));
}
BENCHMARK(benchRosette)->Name("lidar_model/rosette_230400")->Unit(benchmark::kMillisecond);
BENCHMARK(benchSpinning)->Name("lidar_model/128x1800")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs
