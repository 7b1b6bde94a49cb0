// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "gs/synthetic/town_renderer.hpp"

// The town of seed 1, made once for all tests of a program.
namespace gs::testing {

inline const Town& town() {
  static const Town instance = Town::make();
  return instance;
}

inline const TownRenderer& renderer() {
  static const TownRenderer instance(town());
  return instance;
}

// A camera on the route, 1.6 m above the ground, looking along it.
inline Rigid3 poseAt(size_t index) {
  const auto& route = town().route();
  const auto &here = route[index % route.size()], &next = route[(index + 1) % route.size()];
  const double heading = std::atan2(next[1] - here[1], next[0] - here[0]);
  return {fromRollPitchYaw(0, 0, heading) * Quat(0.5, -0.5, 0.5, -0.5),
          Vec3(here[0], here[1], town().groundHeight(here[0], here[1]) + 1.6)};
}

}  // namespace gs::testing
