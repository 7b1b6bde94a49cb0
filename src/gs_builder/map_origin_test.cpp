// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/map_origin.hpp"

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

TEST(MapOrigin, IsWhereTheFixesPointBackTo) {
  // One minute of latitude is one nautical mile, by the old definition of both.
  std::vector<FixInMap> fixes;
  for (int i = 0; i < 5; ++i)
    fixes.push_back({35.0 + i * 1e-4, 139.0, 50.0 + i, gs::Vec3(0, i * 11.0942, i)});
  const auto origin = findMapOrigin(fixes);
  ASSERT_TRUE(origin);
  EXPECT_NEAR(origin->latitude, 35, 1e-6);
  EXPECT_NEAR(origin->longitude, 139, 1e-9);
  EXPECT_NEAR(origin->altitude, 50, 1e-9);
  EXPECT_LT(origin->spread, 0.1);
  EXPECT_FALSE(findMapOrigin({}));
}

TEST(MapOrigin, AMapThatIsNotEastNorthUpShowsInTheSpread) {
  std::vector<FixInMap> fixes;
  for (int i = 0; i < 5; ++i)  // the map says east, the satellites say north
    fixes.push_back({35.0 + i * 1e-3, 139.0, 50.0, gs::Vec3(i * 110.9, 0, 0)});
  EXPECT_GT(findMapOrigin(fixes)->spread, 50);
}

}  // namespace
}  // namespace gs_builder
