// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "gs/core/image.hpp"
#include "gs/train/training_set.hpp"

namespace gs_builder {

// By camera id: 255 where the vehicle's own body is seen. Cameras that do not see it are not there.
using EgoMasks = std::map<std::string, gs::Image8>;

// The body is what reaches up from the lower edge of the image and never changes while the vehicle
// moves. Cameras with fewer than a dozen images from different places get none.
EgoMasks findEgoMasks(const gs::TrainingSet& set);

// From now on masks of the set leave the body out as well.
void addEgoMasks(const EgoMasks& masks, gs::TrainingSet& set);

}  // namespace gs_builder
