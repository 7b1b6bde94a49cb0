// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/rigid3.hpp"

namespace gs {

// How a body moves, in its own frame.
struct BodyTwist {
  Vec3 linear = Vec3::Zero();   // m/s
  Vec3 angular = Vec3::Zero();  // rad/s
};

// Where a sensor is during a sweep.
class SweepPoses {
 public:
  explicit SweepPoses(const Rigid3& map_from_lidar);  // it rests
  // The vehicle moves on for `period` seconds at the twist that it has when the sweep begins.
  SweepPoses(const Rigid3& map_from_base, const BodyTwist& twist, const Rigid3& base_from_lidar,
             double period);

  bool isMoving() const { return is_moving_; }
  bool isFinite() const;
  // map_from_lidar when `part` of the sweep is over: 0 at its beginning, 1 at its end.
  Rigid3 at(double part) const;

 private:
  bool is_moving_;
  Rigid3 begin_, end_;
};

}  // namespace gs
