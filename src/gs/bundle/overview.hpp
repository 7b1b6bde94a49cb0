// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/image.hpp"

namespace gs {

// A world seen from above, north up: shaded ground (dark where none is known), splats in their own
// colour, the drivable area outlined in green, the ego's start as an arrow. The longer side gets
// `size` pixels and shows the heightmap.
Image8 drawOverview(const WorldBundle& bundle, int size);

}  // namespace gs
