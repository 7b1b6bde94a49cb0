// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/base_link_above_ground.hpp"

#include <limits>

#include <gmock/gmock.h>

namespace gs {
namespace {

TEST(BaseLinkAboveGround, HangsOverItsFooting) {
  const auto base = BaseLinkAboveGround::ofDegrees(0.95, 2, -1);
  const Rigid3 footing_from_base = base.footingFromBase();
  EXPECT_EQ(footing_from_base.translation, Vec3(0, 0, 0.95));
  // Nose down: what is ahead of base_link comes nearer to the road. Left down: so does what is
  // left.
  EXPECT_LT((footing_from_base * Vec3(10, 0, 0)).z(), 0.95);
  EXPECT_LT((footing_from_base * Vec3(0, 10, 0)).z(), 0.95);
  EXPECT_NEAR(toRollPitchYaw(footing_from_base.rotation).yaw, 0, 1e-12);
}

TEST(BaseLinkAboveGround, DivesWhenItBrakesAndLeansOutOfCurves) {
  const BaseLinkAboveGround base{
      .height = 1, .pitch_per_acceleration = -0.004, .roll_per_lateral_acceleration = 0.01};
  EXPECT_EQ(base.footingFromBase(0, 0).translation, base.footingFromBase().translation);
  const auto braking = toRollPitchYaw(base.footingFromBase(-3, 0).rotation);
  EXPECT_NEAR(braking.pitch, 0.012, 1e-12);  // nose down
  const auto to_the_left = toRollPitchYaw(base.footingFromBase(0, 2).rotation);
  EXPECT_NEAR(to_the_left.roll, 0.02, 1e-12);  // right down
  EXPECT_NEAR(to_the_left.pitch, 0, 1e-12);
}

TEST(BaseLinkAboveGround, KnowsWhatNoVehicleIsLike) {
  EXPECT_TRUE(BaseLinkAboveGround{}.isPossible());
  EXPECT_TRUE(BaseLinkAboveGround::ofDegrees(2.5, -6, 0).isPossible());
  EXPECT_FALSE(BaseLinkAboveGround{.height = 40}.isPossible());
  EXPECT_FALSE(BaseLinkAboveGround{.height = -1}.isPossible());
  EXPECT_FALSE(BaseLinkAboveGround{.roll_per_lateral_acceleration = 0.1}.isPossible());
  EXPECT_FALSE(BaseLinkAboveGround::ofDegrees(0, 0, 16).isPossible());
  EXPECT_FALSE(BaseLinkAboveGround{.pitch = std::numeric_limits<double>::quiet_NaN()}.isPossible());
}

TEST(BaseLinkAboveGround, IsSaidInAFewWords) {
  EXPECT_EQ(toText(BaseLinkAboveGround{}), "base_link on the road");
  EXPECT_EQ(toText(BaseLinkAboveGround::ofDegrees(0.954, -0.41, -0.89)),
            "base_link 0.95 m above the road, pitched -0.4 deg, rolled -0.9 deg");
  EXPECT_EQ(toText(BaseLinkAboveGround::ofDegrees(-0.001, -0.01, 0.02)),
            "base_link 0.00 m above the road, pitched 0.0 deg, rolled 0.0 deg");
  EXPECT_THAT(toText(BaseLinkAboveGround{.pitch_per_acceleration = -0.0035,
                                         .roll_per_lateral_acceleration = 0.0105}),
              ::testing::EndsWith("diving by 0.20 deg per m/s^2 of braking, leaning by 0.60 deg "
                                  "per m/s^2 in curves"));
}

}  // namespace
}  // namespace gs
