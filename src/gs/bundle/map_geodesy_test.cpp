// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/map_geodesy.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr MapAnchor kTokyo{.origin = {35.681, 139.767, 40.0}};

TEST(MapGeodesy, ComesBackWithinAMillimetreOverTenKilometres) {
  Rng rng(17);
  for (int i = 0; i < 2000; ++i) {
    const MapAnchor anchor{
        .origin = {rng.uniform(-89, 89), rng.uniform(-180, 180), rng.uniform(-100, 4000)},
        .yaw = rng.uniform(-3, 3)};
    const Vec3 p(rng.uniform(-1e4, 1e4), rng.uniform(-1e4, 1e4), rng.uniform(-100, 500));
    EXPECT_LT((mapFromGeo(anchor, geoFromMap(anchor, p)) - p).norm(), 1e-6);
  }
}

TEST(MapGeodesy, TheOriginOfTheMapIsTheOriginOnEarth) {
  const GeoPoint point = geoFromMap(kTokyo, Vec3::Zero());
  EXPECT_NEAR(point.latitude, kTokyo.origin.latitude, 1e-12);
  EXPECT_NEAR(point.longitude, kTokyo.origin.longitude, 1e-12);
  EXPECT_NEAR(point.altitude, kTokyo.origin.altitude, 1e-8);
}

// On the equator the ellipsoid is simple: its radius east is a, that of the meridian a (1 - e^2).
TEST(MapGeodesy, DegreesAtTheEquatorAreThoseOfTheEllipsoid) {
  constexpr double kA = 6378137.0, kE2 = 6.69437999014e-3, kDegrees = 180 / std::numbers::pi;
  const MapAnchor equator;
  EXPECT_NEAR(geoFromMap(equator, {1, 0, 0}).longitude, kDegrees / kA, 1e-14);
  EXPECT_NEAR(geoFromMap(equator, {0, 1, 0}).latitude, kDegrees / (kA * (1 - kE2)), 1e-14);
  // 10 km to the east the ground has fallen by d^2 / 2a: a level map stands that much above it.
  EXPECT_NEAR(geoFromMap(equator, {1e4, 0, 0}).altitude, 1e8 / (2 * kA), 1e-4);
}

TEST(MapGeodesy, ATurnedMapLooksAlongItsYaw) {
  MapAnchor turned = kTokyo;
  turned.yaw = std::numbers::pi / 2;  // x of the map is north
  const GeoPoint north = geoFromMap(turned, {100, 0, 0});
  EXPECT_NEAR(north.longitude, kTokyo.origin.longitude, 1e-12);
  EXPECT_GT(north.latitude, kTokyo.origin.latitude);
  const Vec3 straight = mapFromGeo(kTokyo, north);
  EXPECT_NEAR(straight.x(), 0, 1e-6);
  EXPECT_NEAR(straight.y(), 100, 1e-6);
}

TEST(MapGeodesy, AWorldWithoutAnOriginHasNoAnchor) {
  Metadata::CoordinateSystem system;
  EXPECT_FALSE(findMapAnchor(system));
  system.origin_lat = 35.681;
  system.origin_lon = 139.767;
  system.origin_alt = 40;
  EXPECT_EQ(findMapAnchor(system), kTokyo);
  system.origin_yaw = 0.25;
  EXPECT_EQ(findMapAnchor(system)->yaw, 0.25);
}

}  // namespace
}  // namespace gs
