// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/formats/point_cloud2.hpp"

namespace gs_builder {

// What a LiDAR is like, from some of its scans in its own frame, not motion-compensated: channels
// and their elevations (by the ring column, else the peaks of how often each elevation occurs),
// horizontal resolution (the usual step between neighbours of a channel), range. Angles are rounded
// to a hundredth of a degree, ranges outwards; evenly spread channels are not listed one by one.
gs::LidarSpec inferLidarSpec(const std::vector<gs::LidarPoints>& scans);

}  // namespace gs_builder
