// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs/bundle/map_geodesy.hpp"
#include "gs/core/time.hpp"
#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

struct GnssFix {
  gs::Stamp stamp;
  std::optional<gs::GeoPoint> antenna;  // absent: no satellites are seen
};

// Receivers of satellites. Each publishes /gnss/<id>/fix (sensor_msgs/NavSatFix): where its antenna
// is on Earth, through the origin of the world, with white noise; without a fix (STATUS_NO_FIX, not
// a number) in the outages of the calibration. A world whose origin is not known has none
// (INVALID_CALIBRATION).
SensorKind gnssKind();

}  // namespace gs_sim
