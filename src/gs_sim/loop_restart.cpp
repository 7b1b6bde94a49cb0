// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/loop_restart.hpp"

#include <cmath>

namespace gs_sim {
namespace {

constexpr double kStanding = 0.01;  // m/s

}  // namespace

bool isLapOver(const Driver& script, const EgoState& ego) {
  return script.hasArrived() && std::abs(ego.speed) <= kStanding;
}

}  // namespace gs_sim
