// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gs/train/residual_map.hpp"
#include "gs/train/sky_model.hpp"
#include "gs/train/trained_splats.hpp"
#include "gs/train/trainer.hpp"

namespace gs {

// A few numbers with their own Adam: what is adjusted per image.
template <size_t N>
struct AdjustedNumbers {
  std::array<float, N> value{}, mean{}, variance{};
  int steps = 0;

  void step(const std::array<double, N>& gradient, double rate);
};

// Everything that changes while training.
struct TrainerState {
  int iteration = 0;  // done
  TrainedSplats splats;
  SkyModel sky;
  std::vector<AdjustedNumbers<3>> exposures;  // per image: logarithms of the gains
  std::vector<AdjustedNumbers<6>> poses;      // per image: shift in the map, turn of the camera
  std::vector<ResidualMap> residuals;         // per image
  double mean_loss = 0, mean_squared = 0;     // running
  double best_psnr_db = -1;                   // of the evaluations so far
  int evaluations_without_gain = 0;           // since
};

TrainerState stateFrom(const GaussianCloud& initial, size_t images, int sky_height);
TrainingCheckpoint checkpointOf(TrainerState& state);
// Throws TrainingFailed when the bytes are not those of a checkpoint of this many images.
TrainerState stateFrom(const TrainingCheckpoint& checkpoint, size_t images, int sky_height);

}  // namespace gs
