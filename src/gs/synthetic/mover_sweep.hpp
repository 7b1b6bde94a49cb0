// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "gs/synthetic/sample_drive.hpp"

namespace gs {

// The volume that moving things of a drive pass through or stand in, from its beginning to its
// end: their boxes, every few centimetres of their way.
class MoverSweep {
 public:
  explicit MoverSweep(const SampleDriveTruth& truth);

  // At least `clearance` above where the thing stands, so that the ground is not counted.
  bool contains(const Vec3& p_in_map, double clearance = 0.15) const;

 private:
  struct Box {
    Rigid3 box_from_map;
    Vec3 low, high;
  };
  using Cell = std::pair<int, int>;
  static Cell cellOf(double x, double y);

  std::vector<Box> boxes_;
  std::map<Cell, std::vector<size_t>> boxes_near_;
};

}  // namespace gs
