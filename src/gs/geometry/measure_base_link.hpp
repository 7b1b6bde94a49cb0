// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/bundle/heightmap.hpp"
#include "gs/geometry/posed_scan.hpp"

namespace gs {

struct MeasuredBaseLink {
  BaseLinkAboveGround above_ground;  // medians over the scans
  BaseLinkAboveGround spread;        // of single scans: half of what the middle two thirds span
  size_t scans_used = 0, scans = 0;

  // Enough scans that agree: bumps and braking move a vehicle by less than this.
  bool isSure() const {
    return scans_used >= 10 && 2 * scans_used >= scans && spread.height < 0.1 &&
           spread.pitch < 0.026 && spread.roll < 0.026;
  }
};

// The plane of the road as one scan sees it where the vehicle itself drives, in base_link; nothing
// where too little of it is seen. `path` is where the vehicle was in the whole drive: heights and
// tilts in it are not looked at, so poses that know none are as good.
std::optional<BaseLinkAboveGround> fitRoadBelow(const PosedScan& scan,
                                                const std::vector<Rigid3>& path);

// Height, pitch and roll of base_link over the road, from at most `max_scans` scans spread evenly
// over the drive. Nothing when no scan sees the road. The same for any number of threads.
std::optional<MeasuredBaseLink> measureBaseLink(const ScanSource& scans,
                                                const std::vector<Rigid3>& path,
                                                size_t max_scans = 150);

// Where a vehicle was, and how it accelerated there: along itself and to its left.
struct DrivenPose {
  Rigid3 map_from_base;
  double acceleration = 0, lateral_acceleration = 0;
};

// The same against a finished ground: how recorded poses stand over where a vehicle of usual size
// would stand at their x, y and heading. How the body leans is found where the drive shows it, and
// 0 otherwise. Nothing where no ground is known below any of them.
std::optional<MeasuredBaseLink> measureBaseLinkOver(const Heightmap& ground,
                                                    const std::vector<DrivenPose>& poses);

}  // namespace gs
