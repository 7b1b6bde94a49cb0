// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <benchmark/benchmark.h>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/town_splats.hpp"
#include "gs/train/kernels/image_loss.hpp"
#include "gs/train/trained_splats.hpp"
#include "gs/train/view_pass.hpp"

namespace gs {
namespace {

// Splats of a street of which a camera sees about all: as a trainer meets them.
const GaussianCloud& street(size_t count) {
  static std::map<size_t, GaussianCloud> made;
  auto found = made.find(count);
  if (found == made.end()) {
    static const Town town = Town::make();
    found = made.emplace(count, makeTownSplats(town, {.count = count, .length = 40})).first;
  }
  return found->second;
}

double seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Forward, loss, backward and a step of the optimiser, as one iteration has them.
void benchIteration(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  const auto width = static_cast<int>(state.range(1)), height = static_cast<int>(state.range(2));
  setThreadCount(2);
  static const Town town = Town::make();
  Camera camera{.width = width, .height = height};
  camera.intrinsics = {.fx = 0.6 * width,
                       .fy = 0.6 * width,
                       .cx = (width - 1) / 2.0,
                       .cy = (height - 1) / 2.0,
                       .k1 = -0.12,
                       .k2 = 0.03};
  const PreparedCamera prepared(camera);
  const Rigid3 pose = townCameraPose(town, 0);
  TrainedSplats splats = trainedFrom(street(count));
  const RenderSettings settings{.background = {0.6f, 0.7f, 0.8f}};
  ViewPass pass;
  PlanarImage target, by_color, by_extras;
  pass.render(splats.scene, prepared, pose, settings, true);
  target = pass.color();
  for (auto& plane : target.planes)
    for (float& value : plane) value = 0.9f * value + 0.02f;
  by_extras.resize(width, height);
  AdamStep step{
      .position = 1e-6f, .feature = 1e-5f, .opacity = 1e-5f, .scaling = 1e-6f, .rotation = 1e-6f};
  double forward = 0, image = 0, backward = 0, optimiser = 0;
  int round = 0;
  for (auto _ : state) {
    // As the trainer has it: depth and the higher coefficients take part in every fourth step.
    ++round;
    const int degree = round % 4 == 0 ? 3 : 0;
    step.learned_degree = degree;
    forward +=
        seconds([&] { pass.render(splats.scene, prepared, pose, settings, round % 4 == 0); });
    image += seconds([&] { imageLoss(pass.color(), target, 0.2, by_color); });
    backward +=
        seconds([&] { pass.differentiate(by_color, round % 4 == 0 ? &by_extras : nullptr); });
    optimiser += seconds([&] {
      parallelFor(pass.clusterCount(), 4, [&](size_t begin, size_t end) {
        const auto gradients = std::make_unique<SplatGradients>();
        const auto by_image = std::make_unique<ImageGradients>();
        std::array<SplatBlame, kClusterSize> blame;
        for (size_t i = begin; i < end; ++i) {
          if (!pass.gather(i, *by_image, blame)) continue;
          projectBackward(splats.scene, pass.cluster(i), degree, pass.projection(), *by_image,
                          *gradients, nullptr);
          adamStep(splats, pass.cluster(i), *gradients, by_image->is_seen, step);
        }
      });
      updateGroups(splats.scene);
    });
  }
  const auto rounds = static_cast<double>(state.iterations());
  const auto ms = [&](double sum) { return 1e3 * sum / rounds; };
  state.counters["in_view"] = static_cast<double>(pass.splatCount());
  state.counters["forward_ms"] = ms(forward);
  state.counters["loss_ms"] = ms(image);
  state.counters["backward_ms"] = ms(backward);
  state.counters["step_ms"] = ms(optimiser);
  state.counters["back/forward"] = (backward + optimiser) / forward;
}
BENCHMARK(benchIteration)
    ->Name("train/iteration")
    ->Args({20'000, 480, 270})
    ->Args({20'000, 960, 540})
    ->Args({200'000, 960, 540})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace gs
