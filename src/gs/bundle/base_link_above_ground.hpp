// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>
#include <string>

#include "gs/core/fields.hpp"
#include "gs/core/rigid3.hpp"

namespace gs {

// Where base_link hangs over the road. The footing is the frame that stands on the road right below
// it: x along the vehicle, z along the road's normal. Many logs have base_link on the road and all
// of this 0; in others it is an inertial sensor, a metre up and a little askew. On its springs the
// body leans out of curves and dives when it brakes, and every sensor with it.
struct BaseLinkAboveGround {
  static constexpr double kDegree = std::numbers::pi / 180;  // rad

  double height = 0;           // m along the road's normal
  double pitch = 0, roll = 0;  // rad, when nothing accelerates
  // rad for each m/s^2: forwards and to the left. A vehicle that dives when it brakes and leans out
  // of curves has the first negative and the second positive.
  double pitch_per_acceleration = 0, roll_per_lateral_acceleration = 0;

  static constexpr BaseLinkAboveGround ofDegrees(double height, double pitch, double roll) {
    return {height, pitch * kDegree, roll * kDegree};
  }

  // What a vehicle can be like; beyond it something else was measured.
  static constexpr double kMinHeight = -0.5, kMaxHeight = 4, kMaxTilt = 0.26, kMaxLean = 0.04;
  bool isPossible() const;  // false for NaN

  Rigid3 footingFromBase() const;
  // While it accelerates, along the vehicle and to its left.
  Rigid3 footingFromBase(double acceleration, double lateral_acceleration) const;

  bool operator==(const BaseLinkAboveGround&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("height", self.height, {.comment = "m of base_link above the road"});
    visit("pitch", self.pitch, {.comment = "rad against the road; nose down positive"});
    visit("roll", self.roll, {.comment = "rad against the road; right down positive"});
    visit("pitch_per_acceleration", self.pitch_per_acceleration,
          {.comment = "rad for each m/s^2 forwards; braking dives: negative"});
    visit("roll_per_lateral_acceleration", self.roll_per_lateral_acceleration,
          {.comment = "rad for each m/s^2 to the left; leaning outwards: positive"});
  }
};

// "base_link 0.95 m above the road, pitched -0.4 deg, rolled -0.9 deg".
std::string toText(const BaseLinkAboveGround& base);

}  // namespace gs
