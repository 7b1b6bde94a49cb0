// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "gs/core/time.hpp"
#include "gs/formats/point_cloud2.hpp"

namespace gs {

// A cast from a double that is too large for a float is undefined; infinity is what it means.
inline float toFloat(float value) { return value; }
inline float toFloat(double value) {
  if (std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) ||
      std::isnan(value))
    return static_cast<float>(value);
  return value > 0 ? std::numeric_limits<float>::infinity()
                   : -std::numeric_limits<float>::infinity();
}

// Fills time_offset, time and time_unit of `points` by the rules of decodePointCloud().
void setPointTimes(std::span<const int64_t> counts, Stamp stamp, LidarPoints& points);
void setPointTimes(std::span<const double> counts, Stamp stamp, LidarPoints& points);
// The counts are in time_offset already and are replaced.
void setPointTimesInPlace(Stamp stamp, LidarPoints& points);

}  // namespace gs
