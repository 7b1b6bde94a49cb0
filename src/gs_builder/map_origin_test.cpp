// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/map_origin.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs_builder {
namespace {

constexpr gs::MapAnchor kTokyo{.origin = {35.681236, 139.767125, 40.0}};

// A curve of some 150 m, seen by satellites that are wrong by `noise`.
std::vector<FixInMap> fixesOf(const gs::MapAnchor& anchor, double noise, double length = 150) {
  gs::Rng rng(5);
  std::vector<FixInMap> fixes;
  for (int i = 0; i < 300; ++i) {
    const double s = length * i / 300;
    const gs::Vec3 p(120 + s, 40 + 20 * std::sin(s / 30), 1.5);
    const gs::Vec3 error = noise * gs::Vec3(rng.normal(), rng.normal(), rng.normal());
    fixes.push_back({gs::geoFromMap(anchor, p + error), p});
  }
  return fixes;
}

TEST(MapOrigin, IsWhereTheFixesPointBackTo) {
  const auto origin = findMapOrigin(fixesOf(kTokyo, 0));
  ASSERT_TRUE(origin);
  EXPECT_LT(gs::mapFromGeo(kTokyo, origin->anchor().origin).norm(), 1e-6);
  EXPECT_FALSE(origin->yaw);
  EXPECT_LT(origin->spread, 1e-6);
  EXPECT_FALSE(findMapOrigin({}));
}

TEST(MapOrigin, NoiseTurnsNoMap) {
  const auto origin = findMapOrigin(fixesOf(kTokyo, 0.8));
  EXPECT_FALSE(origin->yaw);
  EXPECT_LT(gs::mapFromGeo(kTokyo, origin->anchor().origin).norm(), 0.3);
  // Nor does a way that is too short to show a turn.
  EXPECT_FALSE(findMapOrigin(fixesOf({.origin = kTokyo.origin, .yaw = 0.05}, 0.8, 2))->yaw);
}

TEST(MapOrigin, AMapThatIsTurnedAgainstEastIsSaidToBe) {
  for (const double yaw : {0.1, -1.0, 3.0}) {
    gs::MapAnchor turned = kTokyo;
    turned.yaw = yaw;
    std::vector<FixInMap> fixes = fixesOf(turned, 0.3);
    fixes[10].fix.latitude += 0.01;  // a kilometre off: one wrong fix turns nothing
    const auto origin = findMapOrigin(fixes);
    ASSERT_TRUE(origin->yaw);
    EXPECT_NEAR(*origin->yaw, yaw, 0.005);
    for (size_t i = 20; i < fixes.size(); ++i)
      EXPECT_LT((gs::mapFromGeo(origin->anchor(), fixes[i].fix) - fixes[i].antenna_in_map).norm(),
                2.0);
  }
}

TEST(MapOrigin, FixesThatDisagreeShowInTheSpread) {
  std::vector<FixInMap> fixes = fixesOf(kTokyo, 0);
  for (FixInMap& fix : fixes) fix.antenna_in_map *= 3;  // no turn makes a map three times as large
  EXPECT_GT(findMapOrigin(fixes)->spread, 50);
}

}  // namespace
}  // namespace gs_builder
