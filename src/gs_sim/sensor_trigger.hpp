// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/core/time.hpp"

namespace gs_sim {

// Whether a sensor of this rate fires at a step: firing k does so at step round(k * period / dt),
// so 12 Hz on 10 ms steps fires at 0, 80, 170, 250 ms. Faster sensors than steps fire at every
// step. The rate is taken to the millionth of a hertz; it must be positive.
bool firesAt(int64_t step, double rate_hz, gs::Duration dt);

}  // namespace gs_sim
