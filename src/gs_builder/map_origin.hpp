// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gs/bundle/map_geodesy.hpp"
#include "gs/core/fields.hpp"
#include "gs/core/linear.hpp"

namespace gs_builder {

// Where the map lies on Earth.
struct MapOrigin {
  double latitude = 0, longitude = 0, altitude = 0;  // degrees, degrees, m
  // rad: how far the map's x axis is turned from east; absent where it is not, as far as one sees.
  std::optional<double> yaw;
  double spread = 0;  // m: how far apart the fixes put it

  gs::MapAnchor anchor() const {
    return {.origin = {latitude, longitude, altitude}, .yaw = yaw.value_or(0)};
  }
  static void fields(auto& self, auto&& visit) {
    visit("latitude", self.latitude, {.is_required = true});
    visit("longitude", self.longitude, {.is_required = true});
    visit("altitude", self.altitude, {.is_required = true});
    visit("yaw", self.yaw);
    visit("spread", self.spread);
  }
};

struct FixInMap {
  gs::GeoPoint fix;
  gs::Vec3 antenna_in_map = gs::Vec3::Zero();
};

// The anchor that puts the antennas where the fixes are: medians for the place, so that single
// wrong fixes do no harm; a turn only where the way that was driven is long enough to show it
// beyond doubt. `spread` is large when neither helps. Empty without fixes.
std::optional<MapOrigin> findMapOrigin(const std::vector<FixInMap>& fixes);

}  // namespace gs_builder
