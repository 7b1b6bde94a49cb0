// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gs/core/aligned.hpp"

namespace gs {

struct DepthKey {
  uint32_t key, index;
};

// Depths as 22-bit integers that keep their order: equal steps of the logarithm, finer than one
// part in 10^5 between 0.1 m and 1 km. Two passes of a radix sort instead of three, and splats
// closer together than that have no order worth keeping.
class DepthQuantizer {
 public:
  DepthQuantizer(float near_plane, float far_plane);  // 0 < near_plane
  uint32_t keyOf(float depth) const;                  // clamped to [near_plane, far_plane]

 private:
  uint32_t first_, last_;
  int shift_;
};

// Ascending by key, equal keys in the order they came: for any number of threads. `scratch` is
// resized as needed and keeps its memory between calls.
void sortByDepth(AlignedVector<DepthKey>& keys, AlignedVector<DepthKey>& scratch);

}  // namespace gs
