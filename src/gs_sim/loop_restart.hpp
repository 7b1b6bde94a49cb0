// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_sim/driver.hpp"

namespace gs_sim {

// Whether a drive that begins again at the end of its path (--loop) begins again now: whoever
// drives has arrived, and the ego stands.
bool isLapOver(const Driver& script, const EgoState& ego);

}  // namespace gs_sim
