// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/testing/sample_town.hpp"

namespace gs {
namespace {

using testing::poseAt;
using testing::renderer;
using testing::town;

// Items are pixels; time is per frame, averaged over the whole loop.
void benchFrame(benchmark::State& state) {
  setThreadCount(static_cast<int>(state.range(0)));
  ViewCamera camera{.width = 800, .height = 450};
  camera.intrinsics.fx = camera.intrinsics.fy = 480;
  camera.intrinsics.cx = 399.5;
  camera.intrinsics.cy = 224.5;
  const RayTable rays(camera);
  renderer();  // built before the clock starts
  size_t index = 0;
  for (auto _ : state) {
    const TrueView view = renderer().renderView(rays, poseAt(index += 37), 1.0);
    benchmark::DoNotOptimize(view.rgb.pixels.data());
  }
  state.SetItemsProcessed(state.iterations() * 800 * 450);
  setThreadCount(0);
}
BENCHMARK(benchFrame)
    ->Name("town/frame_800x450")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Items are rays: one sweep of 32 beams at 1800 azimuths, in firing order.
void benchSweep(benchmark::State& state) {
  setThreadCount(static_cast<int>(state.range(0)));
  const Vec3f origin = poseAt(40).translation.cast<float>() + Vec3f(0, 0, 0.4f);
  std::vector<TownRenderer::Ray> rays;
  for (int column = 0; column < 1800; ++column)
    for (int beam = 0; beam < 32; ++beam) {
      const double azimuth = column * std::numbers::pi / 900;
      const double elevation = (-25 + 40.0 * beam / 31) * std::numbers::pi / 180;
      rays.push_back({origin,
                      Vec3(std::cos(azimuth) * std::cos(elevation),
                           std::sin(azimuth) * std::cos(elevation), std::sin(elevation))
                          .cast<float>(),
                      0.05 * column / 1800});
    }
  std::vector<TownRenderer::Hit> hits(rays.size());
  for (auto _ : state) renderer().cast(rays, hits);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rays.size()));
  setThreadCount(0);
}
BENCHMARK(benchSweep)
    ->Name("town/sweep_32x1800")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs
