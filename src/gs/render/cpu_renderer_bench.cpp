// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <ctime>
#include <numbers>

#include <benchmark/benchmark.h>

#include "gs/core/parallel.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/reference_renderer.hpp"
#include "gs/synthetic/town_splats.hpp"

namespace gs {
namespace {

constexpr double kDriveLength = 160;  // m

const Town& town() {
  static const Town instance = Town::make();
  return instance;
}

const GaussianCloud& street() {
  static const GaussianCloud instance = makeTownSplats(town(), {.length = kDriveLength});
  return instance;
}

const CpuRenderer& renderer() {
  static const CpuRenderer instance(street());
  return instance;
}

const RenderSettings& settings() {
  static const RenderSettings instance{.sky = Sky(makeTownSky(512))};
  return instance;
}

Camera cameraOfSize(int width, int height) {
  Camera camera{.width = width, .height = height};
  camera.intrinsics = {.fx = 0.6 * width,
                       .fy = 0.6 * width,
                       .cx = (width - 1) / 2.0,
                       .cy = (height - 1) / 2.0,
                       .k1 = -0.12,
                       .k2 = 0.03,
                       .p1 = 0.0004,
                       .p2 = -0.0003};
  return camera;
}

SplatView viewAt(double distance, int width, int height, double yaw = 0) {
  return {cameraOfSize(width, height), townCameraPose(town(), distance, yaw), {}};
}

double seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

// A drive through the street: every frame of it, so that the slow ones show.
void benchDrive(benchmark::State& state) {
  const auto width = static_cast<int>(state.range(0)), height = static_cast<int>(state.range(1));
  setThreadCount(static_cast<int>(state.range(2)));
  constexpr int kFrames = 60;
  renderer().render(viewAt(0, width, height), settings());
  std::vector<double> times;
  RenderStatistics sum;
  double others = 0;
  const std::clock_t cpu = std::clock();
  for (auto _ : state)
    for (int n = 0; n < kFrames; ++n) {
      RenderedView view;
      const SplatView at = viewAt(kDriveLength * n / kFrames, width, height);
      times.push_back(seconds([&] { view = renderer().render(at, settings()); }));
      const RenderStatistics& s = view.statistics;
      sum.evaluated_lanes += s.evaluated_lanes;
      sum.splats_in_view += s.splats_in_view;
      sum.tile_entries += s.tile_entries;
      sum.blend_sec += s.blend_sec;
      sum.cull_sec += s.cull_sec;
      sum.project_sec += s.project_sec;
      sum.sort_sec += s.sort_sec;
      sum.bin_sec += s.bin_sec;
      others += s.cull_sec + s.project_sec + s.sort_sec + s.bin_sec;
    }
  // What a frame costs whatever else the machine does.
  const double cpu_sec = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const auto frames = static_cast<double>(times.size());
  const double pixels = static_cast<double>(width) * height;
  state.counters["cpu_ms"] = 1e3 * cpu_sec / frames;
  state.counters["median_ms"] = 1e3 * quantile(times, 0.5);
  state.counters["p95_ms"] = 1e3 * quantile(times, 0.95);
  state.counters["Geval/s/core"] = static_cast<double>(sum.evaluated_lanes) / sum.blend_sec /
                                   static_cast<double>(state.range(2)) * 1e-9;
  state.counters["others/blend"] = others / sum.blend_sec;
  state.counters["in_view"] = static_cast<double>(sum.splats_in_view) / frames;
  state.counters["lanes/px"] = static_cast<double>(sum.evaluated_lanes) / frames / pixels;
  state.counters["cull_ms"] = 1e3 * sum.cull_sec / frames;
  state.counters["project_ms"] = 1e3 * sum.project_sec / frames;
  state.counters["sort_ms"] = 1e3 * sum.sort_sec / frames;
  state.counters["bin_ms"] = 1e3 * sum.bin_sec / frames;
  state.counters["blend_ms"] = 1e3 * sum.blend_sec / frames;
  setThreadCount(0);
}
BENCHMARK(benchDrive)
    ->Name("render/drive")
    ->ArgNames({"w", "h", "threads"})
    ->Args({1920, 1080, 2})
    ->Args({1920, 1080, 1})
    ->Args({960, 540, 2})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs
