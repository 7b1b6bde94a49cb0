// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"

namespace gs {

// worlds/minimal_test of the specification: a flat, straight road with a hundred splats, one camera
// and one LiDAR. Small enough to check in, complete enough to start a simulator. Always the same.
WorldBundle makeMinimalBundle();

}  // namespace gs
