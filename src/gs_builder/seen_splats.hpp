// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/geometry/movers_way.hpp"
#include "gs/train/training_set.hpp"

namespace gs_builder {

// The splats that reach into at least one image of the set, in their order, without those too faint
// for any image. Where an image is masked it shows no splat: what only masked pixels see was held
// against nothing in training, and stays as the dark shape of whoever walked there. What lies
// hidden behind other splats stays: from beside the path it may be seen.
gs::GaussianCloud keepSeen(const gs::GaussianCloud& cloud, const gs::TrainingSet& set);

// Without splats whose centre is where only moving things were: their pixels are left out of the
// training, so that nothing there is held against an image.
gs::GaussianCloud withoutMovers(const gs::GaussianCloud& cloud, const gs::MoversWay& way);

}  // namespace gs_builder
