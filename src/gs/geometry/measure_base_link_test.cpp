// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/measure_base_link.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

using ::testing::DoubleNear;

constexpr double kDegree = std::numbers::pi / 180;

// A road as a height function, a vehicle whose base_link hangs over it, and what a LiDAR on its
// roof measures: everything known.
struct Drive {
  BaseLinkAboveGround truth = BaseLinkAboveGround::ofDegrees(0.95, -0.4, -0.9);
  std::function<double(double x, double y)> road = [](double, double) { return 0.0; };
  double curvature = 0;           // of the way, 1/m
  double ahead = 0, behind = 0;   // m to the cars in the same lane; 0: none
  bool has_planar_poses = false;  // height and tilt of the poses stand still
  bool has_parked_cars = false;
  double noise = 0.02;

  Rigid3 footingAt(double s) const {
    const double yaw = curvature * s;
    const double x = curvature == 0 ? s : std::sin(yaw) / curvature;
    const double y = curvature == 0 ? 0 : (1 - std::cos(yaw)) / curvature;
    const double c = std::cos(yaw), n = std::sin(yaw);
    const auto level = [&](double a, double l) {
      return road(x + c * a - n * l, y + n * a + c * l);
    };
    const double pitch = -std::atan((level(2.7, 0) - level(0, 0)) / 2.7);
    const double roll = std::atan((level(0, 0.8) - level(0, -0.8)) / 1.6);
    return {fromRollPitchYaw(roll, pitch, yaw), Vec3(x, y, road(x, y))};
  }

  // Height of the first thing at (x, y) of the footing frame above the road: a car's box or 0.
  double standing(double x, double y) const {
    const bool is_in_lane = std::abs(y) < 0.9;
    if (ahead > 0 && is_in_lane && x > ahead && x < ahead + 4.2) return 1.4;
    if (behind > 0 && is_in_lane && x < -behind && x > -behind - 4.2) return 1.4;
    if (has_parked_cars && y < -1.8 && std::fmod(std::abs(x), 6) < 4.5) return 1.4;
    return 0;
  }

  PosedScan scanAt(double s, Rng rng) const {
    const Rigid3 map_from_footing = footingAt(s);
    const Rigid3 footing_from_base = truth.footingFromBase();
    const Rigid3 map_from_base = map_from_footing * footing_from_base;
    PosedScan scan{.map_from_base = map_from_base, .sensor_in_base = {0.5, 0, 0.9}};
    if (has_planar_poses) {
      const double yaw = toRollPitchYaw(map_from_base.rotation).yaw;
      scan.map_from_base.rotation = fromRollPitchYaw(0, 0, yaw);
      scan.map_from_base.translation.z() = 0;
    }
    const Vec3 eye = map_from_base * scan.sensor_in_base;
    const Rigid3 footing_from_map = map_from_footing.inverse();
    const Rigid3 base_from_map = map_from_base.inverse();
    for (double elevation = -24; elevation <= -2; elevation += 1.1)
      for (double azimuth = -25; azimuth < 205; azimuth += azimuth == 25 ? 130 : 1) {
        const Vec3 ray = map_from_base.rotation *
                         Vec3(std::cos(elevation * kDegree) * std::cos(azimuth * kDegree),
                              std::cos(elevation * kDegree) * std::sin(azimuth * kDegree),
                              std::sin(elevation * kDegree));
        const auto isInside = [&](double range) {
          const Vec3 p = eye + range * ray, q = footing_from_map * p;
          return p.z() - road(p.x(), p.y()) <= standing(q.x(), q.y());
        };
        double outside = 2, inside = 2;
        while (inside < 25 && !isInside(inside)) outside = std::exchange(inside, inside + 0.4);
        if (inside >= 25) continue;
        for (int halving = 0; halving < 10; ++halving)
          (isInside((outside + inside) / 2) ? inside : outside) = (outside + inside) / 2;
        const Vec3 hit = base_from_map * (eye + (inside + noise * rng.normal()) * ray);
        scan.points.push_back({static_cast<float>(hit.x()), static_cast<float>(hit.y()),
                               static_cast<float>(hit.z()), 1});
      }
    return scan;
  }

  MeasuredBaseLink measured(int count = 12) const {
    std::vector<PosedScan> scans;
    std::vector<Rigid3> path;
    const Rng rng(7);
    for (int i = 0; i < count; ++i) scans.push_back(scanAt(4.0 * i, rng.fork(i)));
    for (double s = 0; s <= 4.0 * count; s += 0.5)
      path.push_back(footingAt(s) * truth.footingFromBase());
    const auto result = measureBaseLink({scans.size(), [&](size_t i) { return scans[i]; }}, path);
    return result.value_or(MeasuredBaseLink{});
  }
};

void expectTruth(const Drive& drive, const MeasuredBaseLink& measured, double height = 0.015,
                 double degrees = 0.15) {
  EXPECT_TRUE(measured.isSure()) << measured.scans_used << " of " << measured.scans;
  EXPECT_THAT(measured.above_ground.height, DoubleNear(drive.truth.height, height));
  EXPECT_THAT(measured.above_ground.pitch, DoubleNear(drive.truth.pitch, degrees * kDegree));
  EXPECT_THAT(measured.above_ground.roll, DoubleNear(drive.truth.roll, degrees * kDegree));
}

TEST(MeasureBaseLink, FindsASensorAMetreAboveAFlatRoad) {
  const Drive drive;
  expectTruth(drive, drive.measured(), 0.005, 0.1);
}

TEST(MeasureBaseLink, FindsABaseLinkOnTheRoad) {
  Drive drive{.truth = {}};
  drive.truth.height = 0;
  expectTruth(drive, drive.measured());
}

TEST(MeasureBaseLink, SlopesAndCamberOfTheRoadAreNotTheVehicles) {
  Drive drive;
  drive.road = [](double x, double y) { return 0.06 * x + 0.025 * y; };
  expectTruth(drive, drive.measured());
  drive.has_planar_poses = true;
  expectTruth(drive, drive.measured());
}

TEST(MeasureBaseLink, BumpsAndHillsAverageOut) {
  Drive drive;
  drive.road = [](double x, double y) {
    return 0.3 * std::sin(x / 12) + 0.015 * std::sin(2 * x) * std::cos(1.5 * y);
  };
  expectTruth(drive, drive.measured(20), 0.03, 0.25);
}

TEST(MeasureBaseLink, FollowsTheWayInACurve) {
  Drive drive{.curvature = 0.04};
  // Beside the lane there is a bank, which a straight corridor would run into.
  drive.road = [&](double x, double y) {
    const double beside = std::abs(std::hypot(x, y - 1 / 0.04) - 1 / 0.04) - 1.6;
    return beside > 0 ? 0.25 * beside : 0.0;
  };
  expectTruth(drive, drive.measured());
}

TEST(MeasureBaseLink, ARoadWithCamberInACurveIsNoPlane) {
  Drive drive{.curvature = 0.04};
  drive.road = [](double x, double y) { return 0.03 * (std::hypot(x, y - 1 / 0.04) - 1 / 0.04); };
  expectTruth(drive, drive.measured());
}

TEST(MeasureBaseLink, AFinishedGroundTellsTheSame) {
  const Drive drive;
  Heightmap ground{
      .origin_x = -10, .origin_y = -10, .resolution = 0.2, .width = 300, .height = 100};
  for (int row = 0; row < ground.height; ++row)
    for (int col = 0; col < ground.width; ++col)
      ground.samples.push_back(0.05f * static_cast<float>(col * 0.2) +
                               0.02f * static_cast<float>(row * 0.2));
  std::vector<DrivenPose> poses;
  for (double x = 0; x < 40; x += 0.5) {
    const Rigid3 map_from_footing{
        fromRollPitchYaw(std::atan(0.02 * std::cos(std::atan(0.05))), -std::atan(0.05), 0),
        Vec3(x, 3, 0.05 * (x + 10) + 0.02 * 13)};
    poses.push_back({map_from_footing * drive.truth.footingFromBase()});
  }
  const auto measured = measureBaseLinkOver(ground, poses);
  ASSERT_TRUE(measured);
  expectTruth(drive, *measured, 0.002, 0.01);
  // Beyond the map there is nothing to stand on.
  EXPECT_FALSE(measureBaseLinkOver(ground, {{Rigid3{Quat::Identity(), Vec3(500, 0, 0)}}}));
}

// A drive over level ground that brakes and turns, with a body that leans as `truth` says.
std::vector<DrivenPose> leaningDrive(const BaseLinkAboveGround& truth, double acceleration) {
  Rng rng(5);
  std::vector<DrivenPose> poses;
  for (int i = 0; i < 200; ++i) {
    const double along = acceleration * std::sin(0.11 * i),
                 across = acceleration * std::cos(0.07 * i);
    const Rigid3 map_from_footing{
        fromRollPitchYaw(0.001 * rng.uniform(-1, 1), 0.001 * rng.uniform(-1, 1), 0.4),
        Vec3(0.1 * i, 2, 0)};
    poses.push_back({map_from_footing * truth.footingFromBase(along, across), along, across});
  }
  return poses;
}

TEST(MeasureBaseLink, FindsHowTheBodyLeans) {
  const Heightmap ground{.origin_x = -10,
                         .origin_y = -10,
                         .resolution = 20,
                         .width = 3,
                         .height = 2,
                         .samples = std::vector<float>(6, 0.0f)};
  BaseLinkAboveGround truth = BaseLinkAboveGround::ofDegrees(0.5, -0.4, -0.9);
  truth.pitch_per_acceleration = -0.0035;
  truth.roll_per_lateral_acceleration = 0.009;
  const auto measured = measureBaseLinkOver(ground, leaningDrive(truth, 1.2));
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->above_ground.pitch_per_acceleration, -0.0035, 0.0002);
  EXPECT_NEAR(measured->above_ground.roll_per_lateral_acceleration, 0.009, 0.0002);
  EXPECT_NEAR(measured->above_ground.roll, truth.roll, 0.0005);
  // A drive that hardly accelerates tells nothing, and a body that leans into curves is none.
  const auto gentle = measureBaseLinkOver(ground, leaningDrive(truth, 0.1));
  EXPECT_EQ(gentle->above_ground.roll_per_lateral_acceleration, 0);
  truth.roll_per_lateral_acceleration = -0.009;
  const auto odd = measureBaseLinkOver(ground, leaningDrive(truth, 1.2));
  EXPECT_EQ(odd->above_ground.roll_per_lateral_acceleration, 0);
}

TEST(MeasureBaseLink, CarsInFrontBehindAndBesideAreNoRoad) {
  Drive drive{.ahead = 9, .behind = 7, .has_parked_cars = true};
  expectTruth(drive, drive.measured());
}

TEST(MeasureBaseLink, SaysNothingWithoutRoad) {
  PosedScan sky;
  for (int i = 0; i < 1000; ++i)
    sky.points.push_back({8.0f + 0.005f * static_cast<float>(i), 0, 3, 1});
  sky.points.push_back({std::numeric_limits<float>::quiet_NaN(), 0, 0, 1});
  EXPECT_FALSE(measureBaseLink({5, [&](size_t) { return sky; }}, {Rigid3{}}));
  EXPECT_FALSE(measureBaseLink({0, {}}, {Rigid3{}}));
}

TEST(MeasureBaseLink, IsNotSureWhenScansDisagree) {
  std::vector<PosedScan> scans;
  std::vector<Rigid3> path;
  for (int i = 0; i < 12; ++i) {
    Drive drive;
    drive.truth.height = 0.3 + 0.1 * i;
    scans.push_back(drive.scanAt(4.0 * i, Rng(i)));
    path.push_back(scans.back().map_from_base);
  }
  const auto measured = measureBaseLink({scans.size(), [&](size_t i) { return scans[i]; }}, path);
  ASSERT_TRUE(measured);
  EXPECT_FALSE(measured->isSure());
}

}  // namespace
}  // namespace gs
