// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/base_link_above_ground.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gs {

Rigid3 BaseLinkAboveGround::footingFromBase() const {
  return {fromRollPitchYaw(roll, pitch, 0), Vec3(0, 0, height)};
}

Rigid3 BaseLinkAboveGround::footingFromBase(double acceleration,
                                            double lateral_acceleration) const {
  const Rigid3 lean{fromRollPitchYaw(roll_per_lateral_acceleration * lateral_acceleration,
                                     pitch_per_acceleration * acceleration, 0),
                    Vec3::Zero()};
  return lean * footingFromBase();
}

bool BaseLinkAboveGround::isPossible() const {
  return height >= kMinHeight && height <= kMaxHeight && std::abs(pitch) <= kMaxTilt &&
         std::abs(roll) <= kMaxTilt && std::abs(pitch_per_acceleration) <= kMaxLean &&
         std::abs(roll_per_lateral_acceleration) <= kMaxLean;
}

std::string toText(const BaseLinkAboveGround& base) {
  if (base == BaseLinkAboveGround{}) return "base_link on the road";
  // Not "-0.0": the sign of nothing is noise.
  const auto degrees = [](double angle) {
    const double v = angle / BaseLinkAboveGround::kDegree;
    return std::abs(v) < 0.05 ? 0.0 : v;
  };
  std::string text = fmt::format(
      "base_link {:.2f} m above the road, pitched {:.1f} deg, rolled {:.1f} deg",
      std::abs(base.height) < 0.005 ? 0.0 : base.height, degrees(base.pitch), degrees(base.roll));
  const double dive = -base.pitch_per_acceleration / BaseLinkAboveGround::kDegree;
  const double lean = base.roll_per_lateral_acceleration / BaseLinkAboveGround::kDegree;
  if (dive != 0) text += fmt::format(", diving by {:.2f} deg per m/s^2 of braking", dive);
  if (lean != 0) text += fmt::format(", leaning by {:.2f} deg per m/s^2 in curves", lean);
  return text;
}

}  // namespace gs
