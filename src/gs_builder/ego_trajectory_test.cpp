// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_trajectory.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/synthetic/sample_drive.hpp"

namespace gs_builder {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

StampedPose poseAt(int64_t ns, double x, double yaw = 0) {
  return {{ns}, {gs::fromRollPitchYaw(0, 0, yaw), gs::Vec3(x, 0, 0)}};
}

TEST(EgoTrajectory, InterpolatesBetweenPosesAndGoesOnForAMoment) {
  const EgoTrajectory drive({poseAt(kSecond, 10, 0.2), poseAt(0, 0, 0)});  // sorted by itself
  const auto middle = drive.at({kSecond / 2});
  ASSERT_TRUE(middle);
  EXPECT_DOUBLE_EQ(middle->translation.x(), 5);
  EXPECT_NEAR(gs::toRollPitchYaw(middle->rotation).yaw, 0.1, 1e-12);
  EXPECT_NEAR(drive.at({kSecond + kSecond / 20})->translation.x(), 10.5, 1e-12);
  EXPECT_NEAR(drive.at({-kSecond / 20})->translation.x(), -0.5, 1e-12);
  EXPECT_FALSE(drive.at({kSecond + kSecond / 5}));
  EXPECT_FALSE(EgoTrajectory().at({0}));
}

TEST(EgoTrajectory, AGapHasNoPose) {
  const EgoTrajectory drive(
      {poseAt(0, 0), poseAt(kSecond, 1), poseAt(3 * kSecond, 3), poseAt(4 * kSecond, 4)});
  EXPECT_FALSE(drive.at({2 * kSecond}));
  EXPECT_TRUE(drive.at({3 * kSecond}));
  EXPECT_TRUE(drive.at({7 * kSecond / 2}));
  EXPECT_EQ(drive.gaps(), 1u);
  EXPECT_DOUBLE_EQ(drive.longestGap(), 2);
  EXPECT_DOUBLE_EQ(drive.length(), 4);
}

TEST(EgoTrajectory, PosesAreAtLeastAMillisecondApart) {
  EXPECT_EQ(EgoTrajectory({poseAt(0, 0), poseAt(500'000, 1), poseAt(1'000'000, 2)}).poses().size(),
            2u);
}

TEST(EgoTrajectory, VelocityIsInTheVehiclesFrame) {
  const double quarter = std::numbers::pi / 2;
  std::vector<StampedPose> poses;
  for (int i = 0; i <= 10; ++i)  // driving along +y of the map, looking there
    poses.push_back(
        {{i * kSecond / 10}, {gs::fromRollPitchYaw(0, 0, quarter), gs::Vec3(0, 0.8 * i, 0)}});
  const gs::Vec3 velocity = EgoTrajectory(poses).velocityAt({kSecond / 2});
  EXPECT_NEAR(velocity.x(), 8, 1e-9);
  EXPECT_NEAR(velocity.y(), 0, 1e-9);
}

TEST(PosesCsv, LeadsThereAndBackToTheLastBit) {
  const EgoTrajectory drive(
      {poseAt(1'772'359'200'083'333'333, 1.0 / 3, 0.7), poseAt(1'772'359'201'000'000'001, -1e-9)});
  const EgoTrajectory read = parsePosesCsv(toPosesCsv(drive), "poses.csv");
  ASSERT_EQ(read.poses().size(), 2u);
  EXPECT_EQ(read.poses()[0].stamp, drive.poses()[0].stamp);
  EXPECT_EQ(read.poses()[0].map_from_base.translation, drive.poses()[0].map_from_base.translation);
  EXPECT_EQ(toPosesCsv(read), toPosesCsv(drive));
}

TEST(PosesCsv, TakesTheLineEndsOfSpreadsheets) {
  const EgoTrajectory read = parsePosesCsv(
      "timestamp,x,y,z,qx,qy,qz,qw\r\n1,2,3,4,0,0,0,1\r\n2,2,3,4,0,0,0,1\r\n", "poses.csv");
  ASSERT_EQ(read.poses().size(), 2u);
  EXPECT_EQ(read.poses()[1].map_from_base.translation, gs::Vec3(2, 3, 4));
}

TEST(PosesCsv, NamesTheLineThatIsWrong) {
  const std::string head = "timestamp,x,y,z,qx,qy,qz,qw\n";
  for (const std::string& bad :
       {std::string("x\n"), head + "1,2\n", head + "1,0,0,0,0,0,0,x\n", head + "1,0,0,0,0,0,0,2\n",
        head + "nan,0,0,0,0,0,0,1\n", head + "1,nan,0,0,0,0,0,1\n", head + "1,0,0,0,0,0,0,1,9\n"})
    EXPECT_THROW(parsePosesCsv(bad, "poses.csv"), gs::Error) << bad;
}

// Odometry at 100 Hz, asked at the cameras' stamps: far below what can be seen in an image.
TEST(EgoTrajectory, KnowsWhereTheSampleDriveWasAtEverySensorStamp) {
  const gs::SampleDriveTruth truth{gs::SampleDriveOptions{}};
  std::vector<StampedPose> poses;
  for (int64_t k = 0; k < 3200; ++k)
    poses.push_back({{k * 10'000'000}, truth.motion.mapFromBase(static_cast<double>(k) * 0.01)});
  const EgoTrajectory drive(std::move(poses));
  double worst_m = 0, worst_deg = 0;
  for (int64_t k = 0; k < 31 * 12; ++k) {
    const gs::Stamp stamp{std::llround(static_cast<double>(k) * 1e9 / 12)};
    const gs::Rigid3 found = drive.at(stamp).value();
    const gs::Rigid3 exact = truth.motion.mapFromBase(gs::toSeconds(stamp));
    worst_m = std::max(worst_m, (found.translation - exact.translation).norm());
    worst_deg = std::max(worst_deg, found.rotation.angularDistance(exact.rotation) * 57.29578);
  }
  EXPECT_LT(worst_m, 1e-3);
  EXPECT_LT(worst_deg, 0.01);
}

}  // namespace
}  // namespace gs_builder
