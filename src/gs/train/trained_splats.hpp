// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/render/splat_scene.hpp"
#include "gs/train/kernels/project_backward.hpp"
#include "gs/train/view_pass.hpp"

namespace gs {

// Splats in training: the scene that is rendered, the parameters that it is computed from (position
// and rotation are the scene's own), and what Adam remembers of each. All in the scene's order.
struct TrainedSplats {
  using Floats = SplatScene::Floats;
  static constexpr size_t kGeometry = 11;  // position, log scale, rotation, logit of opacity

  SplatScene scene;
  std::array<Floats, 3> log_scale;
  Floats logit_opacity;
  Floats sh;  // as in the scene, in floats
  std::array<Floats, kGeometry> mean, variance;
  Floats sh_mean, sh_variance;  // as sh
  // Since the last densification: how often a splat was seen, and sums of its blame.
  Floats views, error, gradient;

  size_t size() const { return scene.count; }
};

TrainedSplats trainedFrom(const GaussianCloud& cloud);
GaussianCloud cloudOf(const TrainedSplats& splats);  // in the scene's order

// The splats of `cloud` as new ones; cloud[n] goes on with the memory of the old splat
// `parents[n]`, or without any where `parents[n]` is kNoParent.
constexpr uint32_t kNoParent = 0xffffffff;
TrainedSplats continuedFrom(const TrainedSplats& old, const GaussianCloud& cloud,
                            const std::vector<uint32_t>& parents);

struct AdamStep {
  float position = 0, feature = 0, opacity = 0, scaling = 0, rotation = 0;  // learning rates
  float bias1 = 1, bias2 = 1;                                               // 1 - beta^t
  float opacity_pull = 0, scale_pull = 0;  // regularisers: of the opacity, of the size in metres
  float min_log_scale = -8, max_log_scale = 4;
  float max_stretch = 2.3f;  // logarithm of the longest axis over the second
  int learned_degree = 0;
};
constexpr float kBeta1 = 0.9f, kBeta2 = 0.999f, kEpsilon = 1e-15f;

// One step of Adam for the splats of a cluster that were seen, and the scene after it.
void adamStep(TrainedSplats& splats, size_t cluster, const SplatGradients& gradients,
              const std::array<uint8_t, kClusterSize>& is_seen, const AdamStep& step);

}  // namespace gs
