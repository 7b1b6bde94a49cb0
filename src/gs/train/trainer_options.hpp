// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gs {

enum class DensifyMethod { Relocation, Classic };

struct TrainerOptions {
  int iterations = 30000;
  uint64_t seed = 42;
  int sh_degree = 3;
  int sh_interval = 1000;  // iterations until one more degree of view-dependent colour is learned

  // Resolution doubles from 1/8 (or from 1/first_divisor) to 1/last_divisor over this part of the
  // iterations.
  int first_divisor = 8, last_divisor = 1;
  double coarse_part = 0.4;

  struct LearningRates {        // of Adam
    double position = 0.00016;  // of the depth at which a view sees the splat
    double position_last = 0.0000016;
    double feature = 0.0025, opacity = 0.05, scaling = 0.005, rotation = 0.001;
    double sky = 0.01, exposure = 0.001, pose = 0.0001;
  } rates;

  double ssim_weight = 0.2;
  double depth_weight = 0.7;                        // of the relative error of depth; 0: no depth
  double opacity_weight = 0.0, scale_weight = 0.0;  // keep splats from being where nothing is
  double sky_weight = 0.05;                         // against opacity where the sky is known to be

  DensifyMethod densify = DensifyMethod::Relocation;
  int densify_start = 500, densify_end = 15000, densify_interval = 100;
  double grad_threshold = 0.0002;
  size_t max_gaussians = 400'000;

  bool refine_pose = false, refine_exposure = false, mask_residuals = true;
  bool has_sky = true;
  int sky_height = 512;  // px of its picture, twice as wide

  std::vector<int> save_iterations;
  int evaluate_every = 2000;  // 0: at the end only
  size_t evaluate_images = 24;
  int patience = 0;  // evaluations without improvement before it stops; 0: never
  size_t image_cache_bytes = size_t{1} << 30;
};

}  // namespace gs
