// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "gs_builder/ego_trajectory.hpp"

namespace gs_builder {

// Some logs know only x, y and heading: the height (and often roll and pitch) stands still while
// the road does not, and the same piece of road then lies at a different height in every scan.
// Whether these poses are of that kind: a drive of at least 20 m at one height.
bool isPlanar(const EgoTrajectory& trajectory);

struct GroundScan {
  gs::Stamp stamp;
  std::vector<std::array<float, 3>> points;  // in base_link at the stamp
};

struct FollowedGround {
  EgoTrajectory trajectory;  // the same poses with height, roll and pitch
  size_t aligned_scans = 0;
  double height_range = 0;  // m between the lowest and the highest pose found
};

// Adds to planar poses the height, roll and pitch under which the ground of each scan continues
// that of the scans before it. Scans come in the order of time; `load` is asked once for each.
FollowedGround followGround(const EgoTrajectory& planar, size_t scan_count,
                            const std::function<GroundScan(size_t)>& load);

}  // namespace gs_builder
