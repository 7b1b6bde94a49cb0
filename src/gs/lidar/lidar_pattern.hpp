// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"

namespace gs {

// Where a LiDAR shoots during one turn: every channel in every column. It begins backwards and
// turns clockwise seen from above, as spinning sensors do.
struct LidarPattern {
  std::vector<double> elevations;  // rad, lowest first; the index is the ring
  std::vector<double> heights;     // m above the sensor's origin, where each channel begins
  std::vector<double> azimuths;    // rad, of each column, in the order of time
  // When each column is shot, after the beginning of the sweep.
  std::vector<uint32_t> column_times_ns;

  size_t rayCount() const { return elevations.size() * azimuths.size(); }
};

// A beam table as the calibration has it: listed elevations (and heights), or evenly spread over
// vertical_fov; one channel stands in its middle. Throws Error (INVALID_CALIBRATION, component
// lidar_generator) when it is empty, not finite or larger than anybody's memory; `id` says whose it
// is.
LidarPattern makeLidarPattern(const LidarSpec& spec, double rate_hz, const std::string& id);

}  // namespace gs
