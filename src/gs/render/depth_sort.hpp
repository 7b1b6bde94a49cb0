// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/core/aligned.hpp"

namespace gs {

struct DepthKey {
  uint32_t key, index;
};

// Positive floats are ordered like their bits, and between two planes only some of the bits differ:
// 27 for 0.1 m to 1 km. No precision is given up: the splats of a wall that faces the camera lie
// within micrometres of each other.
class DepthKeys {
 public:
  DepthKeys(float near_plane, float far_plane);  // 0 < near_plane
  uint32_t keyOf(float depth) const;             // clamped to [near_plane, far_plane]
  int bits() const;                              // that a key has at most

 private:
  uint32_t first_, last_;
};

// Ascending by key, of which only the lowest `bits` are set; equal keys in the order they came, for
// any number of threads. `scratch` is resized as needed and keeps its memory between calls.
void sortByDepth(AlignedVector<DepthKey>& keys, int bits, AlignedVector<DepthKey>& scratch);

}  // namespace gs
