// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/linear.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {

// The room that moving things drove or walked through: what stands in it in a trained world was
// never there. Between two scans a truck moves by a metre, so places between those where it was
// seen belong to its way; from just above the ground up to where it reached.
class MoversWay {
 public:
  using Positions = std::vector<std::array<float, 3>>;  // m, in the map

  // `moving`: where points on moving things were seen; `standing`: the map without them.
  MoversWay(const Positions& moving, const Positions& standing, const Heightmap& ground);

  // In the way, and farther than two voxels from all that stands.
  bool contains(const Vec3& p) const;
  bool isEmpty() const { return tops_.empty(); }

 private:
  void closeGaps();

  Heightmap ground_;
  // Columns of the way: how high it reaches, NaN outside.
  double origin_x_ = 0, origin_y_ = 0;
  int columns_ = 0, rows_ = 0;
  std::vector<float> tops_;
  KeyIndex standing_;
};

}  // namespace gs
