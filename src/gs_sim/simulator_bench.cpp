// SPDX-License-Identifier: Apache-2.0
// What a step costs without sensors. Bars: dynamics, ground and offroad below 20 us; a run without
// sensors more than 200 times as fast as real time, which is 50 us per step of 10 ms.
#include <cmath>

#include <benchmark/benchmark.h>

#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/mesh_ground.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

// A world as large as the contract allows: 4096 x 4096 samples, an outline of 20,000 points.
std::shared_ptr<const WorldData> largeWorld() {
  auto world = std::make_shared<WorldData>(WorldData{"large", gs::makeMinimalBundle(), {}});
  gs::Heightmap& map = world->bundle.heightmap;
  map = {.origin_x = -200, .origin_y = -200, .resolution = 0.1, .width = 4096, .height = 4096};
  map.samples.resize(4096 * 4096);
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col)
      map.samples[static_cast<size_t>(row) * map.width + col] =
          static_cast<float>(std::sin(col * 0.01) * std::cos(row * 0.01));
  gs::Ring ring;
  for (int i = 0; i < 20'000; ++i) {
    const double angle = 2 * M_PI * i / 20'000, radius = 150 + 2 * (i % 2);
    ring.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  ring.push_back(ring.front());
  world->bundle.drivable.features = {{.polygons = {{ring, {}}}}};
  return world;
}

void step(benchmark::State& state, DynamicsModel model) {
  SimulationParameters parameters;
  parameters.vehicle.dynamics_model = model;
  parameters.simulation.initial_velocity = 10;
  Simulator simulator(largeWorld(), parameters);
  const ControlInput circle{.steering_angle = 0.05, .speed = 10};
  for (int i = 0; i < 300; ++i) simulator.step(circle);
  const StepOutput check = simulator.step(circle);  // a fast wrong answer is not a result
  if (check.is_offroad || std::abs(check.ego.speed - 10) > 0.1 || check.ego.pose.z == 0)
    return state.SkipWithError("wrong answer");
  for (auto _ : state) benchmark::DoNotOptimize(simulator.step(circle));
  state.SetItemsProcessed(state.iterations());
  state.counters["times_real_time"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * 0.01, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(step, kinematic, DynamicsModel::KinematicBicycle)
    ->Name("simulator_step/kinematic");
BENCHMARK_CAPTURE(step, dynamic, DynamicsModel::DynamicBicycle)->Name("simulator_step/dynamic");

// A slope of a million triangles, 40 cm wide.
gs::TriangleMesh largeSlope() {
  gs::TriangleMesh mesh;
  constexpr uint32_t kSide = 708;
  for (uint32_t row = 0; row < kSide; ++row)
    for (uint32_t col = 0; col < kSide; ++col) {
      const auto x = 0.4F * static_cast<float>(col), y = 0.4F * static_cast<float>(row);
      mesh.positions.push_back({x, y, 0.05F * x});
      if (row + 1 == kSide || col + 1 == kSide) continue;
      const uint32_t i = row * kSide + col;
      mesh.triangles.push_back({i, i + 1, i + kSide});
      mesh.triangles.push_back({i + 1, i + kSide + 1, i + kSide});
    }
  return mesh;
}

// Bar: ground contact below 0.5 ms per step.
void meshFooting(benchmark::State& state) {
  const auto ground = createMeshGroundContact(
      largeSlope(), std::make_shared<gs::Heightmap>(gs::makeMinimalBundle().heightmap));
  const GroundLevel level{.z = 0, .slope_x = 0.05};
  const auto check = findFooting(*ground, {}, 150, 120, 0.3, level);
  if (!check || std::abs(check->z - 7.5) > 1e-3) return state.SkipWithError("wrong answer");
  for (double x = 150; auto _ : state) {
    x = x < 250 ? x + 0.1 : 150;
    benchmark::DoNotOptimize(findFooting(*ground, {}, x, 120, 0.3, level));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(meshFooting)->Name("ground_contact/mesh");

}  // namespace
}  // namespace gs_sim
