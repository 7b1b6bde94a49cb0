// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/bundle/drivable_area.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/synthetic/town.hpp"

namespace gs {

// A drivable area against the roadway of a town, where the car could see it: within a distance of
// the path. What stands on the roadway (parked cars) is not road.
struct RoadAgreement {
  double iou = 0;      // of the area and the roadway without what stands on it
  double outside = 0;  // share of the area that is not on the roadway
};
RoadAgreement compareRoad(const DrivableArea& area, const Town& town,
                          const std::vector<Rigid3>& path, double max_distance = 16);

}  // namespace gs
