// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_presets.hpp"

#include <algorithm>
#include <cmath>

namespace gs_builder {
namespace {

struct Preset {
  TrainingQuality quality;
  int iterations;
  int saves;  // checkpoints, evenly spread, the last at the end: what a kill can cost
  int max_gaussians;
  int first_divisor, last_divisor;
  double coarse_part;
  int sh_interval;
  double densify_end;  // as a part of the iterations
  int densify_interval;
  int evaluate_every, patience;
};

// Tuned on the sample drive (1152 images of 800 x 450), two cores.
constexpr Preset kPresets[] = {
    // quality                 iter.  saves splats  divisors coarse sh  densify     evaluate
    {TrainingQuality::Draft, 6'000, 3, 300'000, 4, 1, 0.75, 800, 0.6, 100, 2'000, 0},
    {TrainingQuality::Standard, 34'000, 6, 700'000, 4, 1, 0.6, 1'500, 0.6, 100, 3'000, 3},
    {TrainingQuality::High, 70'000, 14, 1'200'000, 4, 1, 0.4, 2'000, 0.6, 200, 5'000, 6},
};

}  // namespace

void applyPreset(TrainingQuality quality, TrainingConfig& config) {
  const Preset& preset = *std::find_if(std::begin(kPresets), std::end(kPresets),
                                       [&](const Preset& p) { return p.quality == quality; });
  TrainingConfig::Training& training = config.training;
  training.iterations = preset.iterations;
  training.densify.start_iter = std::min(500, preset.iterations / 10);
  training.densify.end_iter = static_cast<int>(std::lround(preset.densify_end * preset.iterations));
  training.densify.interval = preset.densify_interval;
  training.native.max_gaussians = preset.max_gaussians;
  training.native.first_divisor = preset.first_divisor;
  training.native.last_divisor = preset.last_divisor;
  training.native.coarse_part = preset.coarse_part;
  training.native.sh_interval = preset.sh_interval;
  training.native.evaluate_every = preset.evaluate_every;
  training.native.patience = preset.patience;
  config.output.save_iterations.clear();
  for (int i = 1; i <= preset.saves; ++i)
    config.output.save_iterations.push_back(preset.iterations * i / preset.saves);
}

}  // namespace gs_builder
