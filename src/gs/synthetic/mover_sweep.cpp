// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/mover_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

constexpr double kCell = 2.0;   // m
constexpr double kStep = 0.03;  // s: 20 cm at 7 m/s, less than any thing is long

}  // namespace

MoverSweep::Cell MoverSweep::cellOf(double x, double y) {
  return {static_cast<int>(std::floor(x / kCell)), static_cast<int>(std::floor(y / kCell))};
}

MoverSweep::MoverSweep(const SampleDriveTruth& truth) {
  for (double t = 0; t < truth.options.seconds; t += kStep)
    for (const Town::MovingBox& box : truth.town.movingBoxes(t)) {
      const double reach = std::max(box.low.head<2>().norm(), box.high.head<2>().norm());
      const Vec3& middle = box.map_from_box.translation;
      const Cell from = cellOf(middle.x() - reach, middle.y() - reach);
      const Cell to = cellOf(middle.x() + reach, middle.y() + reach);
      for (int x = from.first; x <= to.first; ++x)
        for (int y = from.second; y <= to.second; ++y) boxes_near_[{x, y}].push_back(boxes_.size());
      boxes_.push_back({box.map_from_box.inverse(), box.low, box.high});
    }
}

bool MoverSweep::contains(const Vec3& p_in_map, double clearance) const {
  const auto near = boxes_near_.find(cellOf(p_in_map.x(), p_in_map.y()));
  if (near == boxes_near_.end()) return false;
  return std::any_of(near->second.begin(), near->second.end(), [&](size_t i) {
    const Vec3 p = boxes_[i].box_from_map * p_in_map;
    return p.z() >= clearance && (p.array() >= boxes_[i].low.array()).all() &&
           (p.array() <= boxes_[i].high.array()).all();
  });
}

}  // namespace gs
