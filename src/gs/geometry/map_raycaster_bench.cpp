// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numbers>

#include <benchmark/benchmark.h>

#include "gs/core/parallel.hpp"
#include "gs/geometry/map_raycaster.hpp"
#include "gs/geometry/testing/street_world.hpp"

namespace gs {
namespace {

constexpr int kChannels = 128, kColumns = 1800;

const MapRaycaster& world() {
  static const MapRaycaster instance = [] {
    const Heightmap map = makeStreetGround();
    const TriangleMesh mesh = makeStreetMesh();
    return MapRaycaster(&map, &mesh);
  }();
  return instance;
}

// A turn of the sensor, in octets of four columns and two channels.
std::vector<RayOctet> sweep() {
  const Vec3f from = world().toLocal({0, 0, 2.8});
  std::vector<RayOctet> octets;
  for (int column = 0; column < kColumns; column += 4)
    for (int channel = 0; channel < kChannels; channel += 2) {
      RayOctet octet{};
      for (int lane = 0; lane < 8; ++lane) {
        const double azimuth = 2 * std::numbers::pi * (column + lane / 2) / kColumns;
        const double elevation =
            (-25 + 40.0 * (channel + lane % 2) / (kChannels - 1)) * std::numbers::pi / 180;
        octet.set(lane, from,
                  Vec3f(static_cast<float>(std::cos(elevation) * std::cos(azimuth)),
                        static_cast<float>(std::cos(elevation) * std::sin(azimuth)),
                        static_cast<float>(std::sin(elevation))),
                  200);
      }
      octets.push_back(octet);
    }
  return octets;
}

using Cast = void (MapRaycaster::*)(RayOctet&) const;

void castAll(std::vector<RayOctet>& octets, Cast cast) {
  parallelFor(octets.size(), 512, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) (world().*cast)(octets[i]);
  });
}

bool isSame(const std::vector<RayOctet>& a, const std::vector<RayOctet>& b) {
  size_t different = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (int lane = 0; lane < 8; ++lane)
      different += a[i].surface[lane] != b[i].surface[lane] ||
                   std::abs(a[i].range[lane] - b[i].range[lane]) > 1e-3f;
  return different < a.size() / 1000;  // rays that graze an edge
}

struct Cost {
  double wall, cpu;  // s
};
Cost costOf(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

// Mray/s of octets on all CPUs, and how much faster they are than single rays in the same run. The
// others do not mind who else uses the machine: rays by processor time, on average and in the best
// sweep. One core of an EPYC (Zen 3), shared: 7.5 and 8.8 Mray/s.
void benchSweep(benchmark::State& state) {
  const std::vector<RayOctet> rays = sweep();
  std::vector<RayOctet> octets = rays, singles = rays;
  castAll(octets, &MapRaycaster::cast);
  castAll(singles, &MapRaycaster::castSingly);
  if (!isSame(octets, singles)) return state.SkipWithError("packets and single rays disagree");
  double wall = 0, cpu = 0, best_cpu = 1e9, single_cpu = 0;
  for (auto _ : state) {
    octets = rays;
    singles = rays;
    const Cost cost = costOf([&] { castAll(octets, &MapRaycaster::cast); });
    wall += cost.wall;
    cpu += cost.cpu;
    best_cpu = std::min(best_cpu, cost.cpu);
    single_cpu += costOf([&] { castAll(singles, &MapRaycaster::castSingly); }).cpu;
    state.SetIterationTime(cost.wall);
  }
  const double count = 1e-6 * kChannels * kColumns * static_cast<double>(state.iterations());
  state.counters["Mray/s"] = count / wall;
  state.counters["Mray/s_per_core"] = count / cpu;
  state.counters["best_per_core"] = 1e-6 * kChannels * kColumns / best_cpu;
  state.counters["times_single"] = single_cpu / cpu;
}
BENCHMARK(benchSweep)
    ->Name("map_raycaster/128x1800")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// A car on its own zero: a barrel, rounded at both ends.
TriangleMesh car(uint32_t along) {
  const uint32_t around = 2 * along;
  TriangleMesh mesh;
  for (uint32_t i = 0; i <= along; ++i)
    for (uint32_t k = 0; k < around; ++k) {
      const double x = -1 + 2.0 * i / along, angle = 2 * std::numbers::pi * k / around;
      const double radius = std::sqrt(std::max(0.0, 1 - std::pow(x, 8)));
      mesh.positions.push_back({static_cast<float>(2.3 * x),
                                static_cast<float>(0.9 * radius * std::cos(angle)),
                                static_cast<float>(0.75 + 0.75 * radius * std::sin(angle))});
    }
  for (uint32_t i = 0; i < along; ++i)
    for (uint32_t k = 0; k < around; ++k) {
      const uint32_t a = i * around + k, b = i * around + (k + 1) % around;
      mesh.triangles.push_back({a, b, a + around});
      mesh.triangles.push_back({b, b + around, a + around});
    }
  return mesh;
}

// Four lanes of traffic through the whole street, none of it in the sensor.
SceneState trafficAt(double time) {
  SceneState scene;
  for (int i = 0; i < 20; ++i) {
    const double lane = std::array{-4.5, -2.5, 2.5, 4.5}[static_cast<size_t>(i % 4)];
    const double x = -95 + 10.0 * i + (lane > 0 ? 1 : -1) * 10 * time;
    scene.instances.push_back(
        {.asset = 1,
         .map_from_asset = Rigid3{fromRollPitchYaw(0, 0, lane > 0 ? 0.02 : 3.1),
                                  Vec3(x, lane, 0.5 * std::sin(0.05 * x) + 0.3)}});
  }
  return scene;
}

// A sweep with 20 cars that moved since the last one, by a sweep without, in the same run: what
// both cost of the processor, the tree over the cars included.
void benchTraffic(benchmark::State& state) {
  const Heightmap map = makeStreetGround();
  const TriangleMesh mesh = makeStreetMesh(), thing = car(static_cast<uint32_t>(state.range(0)));
  const MapRaycaster streets(&map, {&mesh, &thing});
  const std::vector<RayOctet> rays = sweep();
  std::vector<RayOctet> octets, plain;
  const auto castIn = [&](const SceneState& scene, std::vector<RayOctet>& into) {
    const PosedMap posed = streets.posed(scene);
    parallelFor(into.size(), 512, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) posed.cast(into[i]);
    });
  };
  octets = plain = rays;
  castIn(trafficAt(0), octets);
  const PosedMap posed = streets.posed(trafficAt(0));
  for (RayOctet& octet : plain) posed.castSingly(octet);
  if (!isSame(octets, plain)) return state.SkipWithError("packets and single rays disagree");
  size_t on_cars = 0;
  for (const RayOctet& octet : octets)
    for (int lane = 0; lane < 8; ++lane)
      on_cars += octet.surface[lane] == HitSurface::Mesh && octet.instance[lane] > 0;
  double best_traffic = 1e9, best_plain = 1e9, best_pose = 1e9, time = 0;
  for (auto _ : state)
    for (int n = 0; n < 20; ++n, time += 0.1) {
      const SceneState scene = trafficAt(std::fmod(time, 2.0));
      octets = plain = rays;
      best_traffic = std::min(best_traffic, costOf([&] { castIn(scene, octets); }).cpu);
      best_plain = std::min(best_plain, costOf([&] { castIn(backgroundOnly(), plain); }).cpu);
      best_pose =
          std::min(best_pose, costOf([&] { benchmark::DoNotOptimize(streets.posed(scene)); }).wall);
    }
  state.counters["ratio"] = best_traffic / best_plain;
  state.counters["traffic_ms"] = 1e3 * best_traffic;
  state.counters["background_ms"] = 1e3 * best_plain;
  state.counters["pose_ms"] = 1e3 * best_pose;
  state.counters["triangles"] = static_cast<double>(thing.triangles.size());
  state.counters["rays_on_cars"] = static_cast<double>(on_cars);
}
BENCHMARK(benchTraffic)
    ->Name("map_raycaster/20_moving_meshes_by_none")
    ->ArgName("along")
    ->Arg(22)  // 1,936 triangles
    ->Arg(50)  // 10,000
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs
