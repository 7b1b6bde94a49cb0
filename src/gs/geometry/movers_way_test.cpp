// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/movers_way.hpp"

#include <limits>

#include <gmock/gmock.h>

namespace gs {
namespace {

// A truck front 2.4 m wide and 3 m high, seen every metre of a way along x; a flat road below and
// a post beside it.
MoversWay truckWay() {
  MoversWay::Positions moving, standing;
  for (int metre = 0; metre < 20; ++metre)
    for (float y = -1.2f; y < 1.25f; y += 0.1f)
      for (float z = 0.4f; z < 3; z += 0.1f) moving.push_back({static_cast<float>(metre), y, z});
  for (float x = -5; x < 25; x += 0.1f)
    for (float y = -4; y < 4; y += 0.1f) standing.push_back({x, y, 0});
  for (float z = 0; z < 1; z += 0.1f) standing.push_back({10, 1.1f, z});
  moving.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 1});
  Heightmap ground{.origin_x = -5, .origin_y = -5, .resolution = 1, .width = 40, .height = 11};
  ground.samples.assign(40 * 11, 0.0f);
  return {moving, standing, ground};
}

TEST(MoversWay, IsWhereATruckDroveAlsoBetweenTwoScans) {
  const MoversWay way = truckWay();
  EXPECT_TRUE(way.contains({5, 0, 1.5}));
  EXPECT_TRUE(way.contains({5.5, 0.6, 2.8}));
  EXPECT_TRUE(way.contains({5.5, -0.6, 0.3}));
}

TEST(MoversWay, LeavesTheRoadTheSkyAndWhatStandsBeside) {
  const MoversWay way = truckWay();
  EXPECT_FALSE(way.contains({5, 0, 0.05}));
  EXPECT_FALSE(way.contains({5, 0, 3.5}));
  EXPECT_FALSE(way.contains({5, 2.2, 1}));
  EXPECT_FALSE(way.contains({-2, 0, 1}));
  EXPECT_FALSE(way.contains({10, 1.1, 0.8}));  // a post within the way: the truck drove round it
  EXPECT_FALSE(way.contains({1e12, 0, 1}));
  EXPECT_FALSE(way.contains({std::numeric_limits<double>::quiet_NaN(), 0, 1}));
}

TEST(MoversWay, IsEmptyWhenNothingMoved) {
  const MoversWay way({}, {{0, 0, 0}}, {});
  EXPECT_TRUE(way.isEmpty());
  EXPECT_FALSE(way.contains({0, 0, 1}));
}

}  // namespace
}  // namespace gs
