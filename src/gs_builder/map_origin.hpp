// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gs/core/fields.hpp"
#include "gs/core/linear.hpp"

namespace gs_builder {

// Where the map's origin lies on Earth.
struct MapOrigin {
  double latitude = 0, longitude = 0, altitude = 0;  // degrees, degrees, m
  double spread = 0;                                 // m: how far apart the fixes put it
  static void fields(auto& self, auto&& visit) {
    visit("latitude", self.latitude, {.is_required = true});
    visit("longitude", self.longitude, {.is_required = true});
    visit("altitude", self.altitude, {.is_required = true});
    visit("spread", self.spread);
  }
};

struct FixInMap {
  double latitude = 0, longitude = 0, altitude = 0;
  gs::Vec3 antenna_in_map = gs::Vec3::Zero();
};

// Each fix, moved back along east, north and up, says where (0, 0, 0) of the map is; the medians
// count. `spread` is large when the map's axes are not east, north, up. Empty without fixes.
std::optional<MapOrigin> findMapOrigin(const std::vector<FixInMap>& fixes);

}  // namespace gs_builder
