// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/core/rigid3.hpp"

namespace gs {

// Throws gs::Error: INSUFFICIENT_DATA without poses, INPUT_INVALID when one is not finite.
void checkTrajectory(const std::vector<Rigid3>& map_from_base);

}  // namespace gs
