// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"

namespace gs {

// The part of the map that a world covers, in whole centimetres: its ground and splats together; a
// tenth of a percent of stray splats at each end does not count.
Metadata::SpatialExtent extentOf(const WorldBundle& bundle);

}  // namespace gs
