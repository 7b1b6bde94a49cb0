// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/rng.hpp"

namespace gs {

// A valid bundle whose every number, name and optional part is drawn from `rng`: for property
// tests.
WorldBundle makeRandomBundle(Rng& rng);

}  // namespace gs
