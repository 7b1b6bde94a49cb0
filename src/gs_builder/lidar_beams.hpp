// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/formats/point_cloud2.hpp"
#include "gs_builder/lidar_rings.hpp"

namespace gs_builder {

// A laser of a spinning LiDAR: its points lie on the cone z = origin_height + r tan(elevation).
struct LidarBeam {
  double elevation_deg = 0;
  double origin_height = 0;  // m, above the origin of the sensor's frame
  double blur_deg = 0;       // the usual distance of a point from the cone
  size_t points = 0;
};

// Lowest first. Lasers of one sensor may begin at different heights (an HDL-64E has two blocks, 9
// cm apart): heights are kept where they explain the points clearly better than one origin does.
//
// Scans whose motion was taken out are no cones any more: along the sweep the origin moves. That
// shift, as a function of azimuth, is the same for all lasers of a scan and is found with them.
std::vector<LidarBeam> fitBeams(const std::vector<gs::LidarPoints>& scans, const LidarRings& rings);

}  // namespace gs_builder
