// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs/bundle/metadata.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// A place on the WGS 84 ellipsoid.
struct GeoPoint {
  double latitude = 0, longitude = 0;  // degrees
  double altitude = 0;                 // m above the ellipsoid

  bool operator==(const GeoPoint&) const = default;
};

// Where the map lies on Earth. The map is flat: its plane touches the ellipsoid's normal at the
// origin at a right angle, z is up there, and x is turned from east by `yaw` (rad, counter-
// clockwise). 10 km away the Earth has fallen 8 m below that plane, and altitudes say so.
struct MapAnchor {
  GeoPoint origin;
  double yaw = 0;

  bool operator==(const MapAnchor&) const = default;
};

// What metadata.json says; empty where it does not name the origin.
std::optional<MapAnchor> findMapAnchor(const Metadata::CoordinateSystem& system);

// Exact to less than a micrometre both ways. The anchor's origin is a place on Earth
// (|latitude| <= 90); points that are not finite give what is not finite.
GeoPoint geoFromMap(const MapAnchor& anchor, const Vec3& p_in_map);
Vec3 mapFromGeo(const MapAnchor& anchor, const GeoPoint& point);

}  // namespace gs
