// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/rng.hpp"
#include "gs/train/trained_splats.hpp"
#include "gs/train/trainer_options.hpp"

namespace gs {

struct DensifyCounts {
  size_t removed = 0, added = 0;
};

// Takes away splats that are too faint to matter and puts new ones where the images are explained
// worst; the number grows towards options.max_gaussians and never beyond.
//
// Relocation: places are drawn by the error that splats are blamed for. A chosen splat becomes n
// along its longest axes, which together look like it did: opacity 1 - (1 - o)^(1/n), smaller.
// Classic (Kerbl et al. 2023): splats whose image moves by more than grad_threshold are split when
// large and doubled when small.
// A round without growth only removes and relocates.
DensifyCounts densify(TrainedSplats& splats, const TrainerOptions& options, Rng& rng);

}  // namespace gs
