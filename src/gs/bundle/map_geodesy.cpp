// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/map_geodesy.hpp"

#include <GeographicLib/LocalCartesian.hpp>

namespace gs {
namespace {

// East, north, up at the origin.
GeographicLib::LocalCartesian planeAt(const GeoPoint& origin) {
  return {origin.latitude, origin.longitude, origin.altitude};
}

Vec3 turned(const Vec3& p, double yaw) { return Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * p; }

}  // namespace

std::optional<MapAnchor> findMapAnchor(const Metadata::CoordinateSystem& system) {
  if (!system.origin_lat || !system.origin_lon || !system.origin_alt) return std::nullopt;
  return MapAnchor{.origin = {*system.origin_lat, *system.origin_lon, *system.origin_alt},
                   .yaw = system.origin_yaw.value_or(0)};
}

GeoPoint geoFromMap(const MapAnchor& anchor, const Vec3& p_in_map) {
  const Vec3 enu = turned(p_in_map, anchor.yaw);
  GeoPoint point;
  planeAt(anchor.origin)
      .Reverse(enu.x(), enu.y(), enu.z(), point.latitude, point.longitude, point.altitude);
  return point;
}

Vec3 mapFromGeo(const MapAnchor& anchor, const GeoPoint& point) {
  Vec3 enu;
  planeAt(anchor.origin)
      .Forward(point.latitude, point.longitude, point.altitude, enu.x(), enu.y(), enu.z());
  return turned(enu, -anchor.yaw);
}

}  // namespace gs
