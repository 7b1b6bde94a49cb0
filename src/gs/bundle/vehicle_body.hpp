// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/fields.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// The box of a vehicle that collides, on level ground; overhangs are measured from the axles. The
// builder clears the way of such a vehicle, the simulator drives it. Defaults live here only.
struct VehicleBody {
  double front_overhang = 0.9, rear_overhang = 0.9;
  double width = 1.8, height = 1.6;
  double bumper_height = 0.25;

  static void fields(auto& self, auto&& visit) {
    visit("front_overhang", self.front_overhang, {.comment = "m ahead of the front axle"});
    visit("rear_overhang", self.rear_overhang, {.comment = "m behind the rear axle"});
    visit("width", self.width, {.comment = "m"});
    visit("height", self.height, {.comment = "m above the ground"});
    visit("bumper_height", self.bumper_height, {.comment = "m; lower things are driven over"});
  }
};
constexpr double kDefaultWheelbase = 2.8;  // m

// Corners of the body, from bumper height to roof, seen from the ground below the middle of the
// rear axle: x ahead, y left, z up.
struct BodyBox {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};
inline BodyBox boxOf(const VehicleBody& body, double wheelbase) {
  return {{-body.rear_overhang, -body.width / 2, body.bumper_height},
          {wheelbase + body.front_overhang, body.width / 2, body.height}};
}

}  // namespace gs
