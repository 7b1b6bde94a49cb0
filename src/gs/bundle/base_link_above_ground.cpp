// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/base_link_above_ground.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gs {

Rigid3 BaseLinkAboveGround::footingFromBase() const {
  return {fromRollPitchYaw(roll, pitch, 0), Vec3(0, 0, height)};
}

bool BaseLinkAboveGround::isPossible() const {
  return height >= kMinHeight && height <= kMaxHeight && std::abs(pitch) <= kMaxTilt &&
         std::abs(roll) <= kMaxTilt;
}

std::string toText(const BaseLinkAboveGround& base) {
  if (base == BaseLinkAboveGround{}) return "base_link on the road";
  // Not "-0.0": the sign of nothing is noise.
  const auto degrees = [](double angle) {
    const double v = angle / BaseLinkAboveGround::kDegree;
    return std::abs(v) < 0.05 ? 0.0 : v;
  };
  return fmt::format("base_link {:.2f} m above the road, pitched {:.1f} deg, rolled {:.1f} deg",
                     std::abs(base.height) < 0.005 ? 0.0 : base.height, degrees(base.pitch),
                     degrees(base.roll));
}

}  // namespace gs
