// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/loop_restart.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

TEST(LoopRestart, ALapIsOverWhenTheEgoStandsAtTheEndOfThePath) {
  const auto path = findDrivePath({{std::nullopt, 0, 0}, {std::nullopt, 100, 0}});
  ASSERT_TRUE(path);
  const auto follower = createPathFollower(*path, {}, {});
  EgoState ego;
  follower->commandAt(gs::Stamp{0}, ego);
  EXPECT_FALSE(isLapOver(*follower, ego));  // stands, at the beginning
  ego.pose.x = 100;
  ego.speed = 0.3;
  follower->commandAt(gs::Stamp{1}, ego);
  EXPECT_FALSE(isLapOver(*follower, ego));  // at the end, still rolling
  ego.speed = 0;
  EXPECT_TRUE(isLapOver(*follower, ego));
}

}  // namespace
}  // namespace gs_sim
