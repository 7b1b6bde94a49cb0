// SPDX-License-Identifier: Apache-2.0
#include "gs/core/rigid3.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr double kPi = std::numbers::pi;

Rigid3 randomRigid(Rng& rng) {
  return {fromRollPitchYaw(rng.uniform(-kPi, kPi), rng.uniform(-1.5, 1.5), rng.uniform(-kPi, kPi)),
          Vec3(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9))};
}

TEST(Rigid3, InverseUndoesAndCompositionIsTheMatrixProduct) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Rigid3 a = randomRigid(rng), b = randomRigid(rng);
    const Vec3 p(rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5));
    EXPECT_LT((a.inverse() * (a * p) - p).norm(), 1e-12);
    EXPECT_LT(((a * b).matrix() - a.matrix() * b.matrix()).norm(), 1e-12);
    EXPECT_LT(((a * b) * p - a * (b * p)).norm(), 1e-12);
  }
}

TEST(Rigid3, NinetyDegreesOfYawIsTheQuaternionOfTheConventions) {
  const auto xyzw = toXyzw(fromRollPitchYaw(0, 0, kPi / 2));
  EXPECT_NEAR(xyzw[2], 0.707107, 1e-6);
  EXPECT_NEAR(xyzw[3], 0.707107, 1e-6);
  EXPECT_LT((fromXyzw(xyzw) * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 1e-12);
}

TEST(Rigid3, RollPitchYawLeadThereAndBack) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    const double roll = rng.uniform(-3.1, 3.1), pitch = rng.uniform(-1.5, 1.5),
                 yaw = rng.uniform(-3.1, 3.1);
    const RollPitchYaw angles = toRollPitchYaw(fromRollPitchYaw(roll, pitch, yaw));
    EXPECT_NEAR(angles.roll, roll, 1e-9);
    EXPECT_NEAR(angles.pitch, pitch, 1e-9);
    EXPECT_NEAR(angles.yaw, yaw, 1e-9);
  }
}

TEST(Rigid3, LookingStraightUpStillGivesAngles) {
  const Quat up = fromRollPitchYaw(0, -kPi / 2, 0.4);
  const RollPitchYaw angles = toRollPitchYaw(up);
  EXPECT_LT((fromRollPitchYaw(angles.roll, angles.pitch, angles.yaw).toRotationMatrix() -
             up.toRotationMatrix())
                .norm(),
            1e-6);
}

TEST(Rigid3, InterpolationTakesTheShorterArc) {
  const Rigid3 a{fromRollPitchYaw(0, 0, 0.2), Vec3(0, 0, 0)};
  Rigid3 b{fromRollPitchYaw(0, 0, 0.6), Vec3(2, 0, 0)};
  b.rotation.coeffs() *= -1;  // the same rotation, the other quaternion
  const Rigid3 half = interpolate(a, b, 0.5);
  EXPECT_NEAR(toRollPitchYaw(half.rotation).yaw, 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(half.translation.x(), 1.0);
}

TEST(Rigid3, OnlyUnitQuaternionsPass) {
  EXPECT_TRUE(isUnit({0, 0, 0, 1}));
  EXPECT_TRUE(isUnit({0, 0, 0, 1 + 9e-7}));
  EXPECT_FALSE(isUnit({0, 0, 0, 1.00001}));
  EXPECT_FALSE(isUnit({0, 0, 0, 0}));
  EXPECT_FALSE(isUnit({0, 0, 0, std::nan("")}));
}

TEST(Rigid3, RotationsAreMadeUnitOrRefused) {
  const auto turned = findRotation({0, 0, 3, 4});
  ASSERT_TRUE(turned);
  EXPECT_DOUBLE_EQ(turned->z(), 0.6);
  EXPECT_DOUBLE_EQ(turned->w(), 0.8);
  EXPECT_FALSE(findRotation({0, 0, 0, 0}));
  EXPECT_FALSE(findRotation({0, 0, std::nan(""), 1}));
}

}  // namespace
}  // namespace gs
