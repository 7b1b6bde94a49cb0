// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gs/geometry/measure_base_link.hpp"
#include "gs_builder/ground_following.hpp"

// How the recorded vehicle stood on the road: in mcap_ingest from files, elsewhere from the log.
namespace gs_builder {

// The scans of a LiDAR in base_link at their stamps, in the order of time.
struct BaseScans {
  std::vector<gs::Stamp> stamps;
  std::function<std::vector<std::array<float, 3>>(size_t)> load;
};

struct RoadContact {
  gs::BaseLinkAboveGround above_ground;
  bool is_known = false;  // false: the road was not seen well enough, above_ground is all 0
  std::string source;     // "measured in 150 scans", "given"
};

// What the configuration says, or what the scans show.
RoadContact findRoadContact(const std::optional<gs::BaseLinkAboveGround>& given,
                            const EgoTrajectory& trajectory, const BaseScans& scans);

// followGround for a base_link that is not on the road.
FollowedGround followGroundBelow(const gs::BaseLinkAboveGround& above_ground,
                                 const EgoTrajectory& planar, const BaseScans& scans);

// The trajectory of what stands on the road below base_link.
EgoTrajectory footingOf(const EgoTrajectory& trajectory,
                        const gs::BaseLinkAboveGround& above_ground);

}  // namespace gs_builder
