// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/formats/point_cloud2.hpp"

namespace gs_builder {

struct LidarGuess {
  gs::LidarSpec spec;
  std::vector<std::string> warnings;  // what a person should look at
};

// What a LiDAR is like, from some of its scans in its own frame: beams (which laser each point is
// of comes from the ring column, else the order of points, else the elevations that occur most),
// horizontal resolution (the usual step between neighbours of a beam), range.
// Known models are named; evenly spread beams are not listed one by one. Angles are rounded to a
// thousandth of a degree, heights to a millimetre, ranges outwards.
LidarGuess inferLidarSpec(const std::vector<gs::LidarPoints>& scans);

// What a driver counts intensities to, by the largest one seen: 1, 255, or all ones of some bits.
double intensityScale(double largest);

// Keeps the numbers of the log in what is simulated: their scale, and the usual one of some scans.
void setIntensityScale(double largest, const std::vector<gs::LidarPoints>& scans,
                       gs::LidarSpec& spec);

}  // namespace gs_builder
