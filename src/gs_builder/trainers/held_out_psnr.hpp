// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/train/training_set.hpp"

namespace gs_builder {

struct HeldOutPsnr {
  double psnr_db = 0;
  size_t images = 0;  // held-out ones; 0: there are none, trained ones were measured
};

// Mean over at most `max_images` images, evenly chosen, of the pixels that the masks let count.
HeldOutPsnr measurePsnr(const gs::TrainingSet& set, const gs::GaussianCloud& cloud,
                        const gs::Image8& sky, size_t max_images);

}  // namespace gs_builder
