// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_spec.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_builder {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

// A LiDAR with these channels in a room whose walls are 8 to 57 m away, every 0.4 degrees.
std::vector<gs::LidarPoints> scansOf(const std::vector<double>& angles_deg, bool has_rings) {
  gs::LidarPoints scan;
  for (int column = 0; column < 900; ++column)
    for (size_t ring = 0; ring < angles_deg.size(); ++ring) {
      const double azimuth = (column * 0.4 - 180) * kRadians, tilt = angles_deg[ring] * kRadians;
      const double range = 8 + 49 * std::abs(std::sin(azimuth));
      scan.positions.push_back({static_cast<float>(range * std::cos(tilt) * std::cos(azimuth)),
                                static_cast<float>(range * std::cos(tilt) * std::sin(azimuth)),
                                static_cast<float>(range * std::sin(tilt))});
      if (has_rings) scan.ring.push_back(static_cast<uint16_t>(ring));
    }
  return {scan, scan};
}

// 64 lasers in two blocks, as uneven as real units are.
struct TwoBlocks {
  std::vector<double> angles, heights;  // top first

  explicit TwoBlocks(uint64_t seed) {
    gs::Rng rng(seed);
    for (int i = 0; i < 64; ++i) {
      const double ideal = i < 32 ? 2 - i / 3.0 : -8.83 - (i - 32) * 0.51;
      angles.push_back(ideal + rng.uniform(-0.1, 0.1));
      heights.push_back(i < 32 ? 0.21 - 0.0004 * i : 0.126 - 0.0003 * (i - 32));
    }
  }
};

struct Street {
  double speed = 0;       // m/s, taken out of the scan as many logs have it
  double sky_above = 90;  // degrees: nothing comes back from there
  double noise = 0.02;    // m of range
  double stamp = 0;       // of a sweep, after its middle
};

// Laser by laser, top first, each once around; the sensor rides 1.73 m above a road between houses
// and parked cars.
gs::LidarPoints scanOf(const TwoBlocks& lidar, const Street& street, gs::Rng rng) {
  gs::LidarPoints scan;
  const double front = rng.uniform(4, 25), step = 0.18 * kRadians;
  const double pitch = rng.uniform(-0.01, 0.01), roll = rng.uniform(-0.02, 0.02);
  for (size_t laser = 0; laser < lidar.angles.size(); ++laser) {
    const double tilt = lidar.angles[laser] * kRadians, height = lidar.heights[laser];
    if (lidar.angles[laser] > street.sky_above) continue;
    for (int column = 0; column < 2000; ++column) {
      const double azimuth = column * step;
      const double c = std::cos(azimuth), s = std::sin(azimuth);
      double reach = s > 0 ? 9 / s : -13 / s;  // the houses
      if (std::abs(s) < 0.1) reach = 75;
      if (column % 400 < 90) reach = std::min(reach, front);      // cars
      const double down = roll * s + pitch * c - std::tan(tilt);  // the road falls away
      if (down > 0.01) reach = std::min(reach, (1.73 + height) / down);
      if (reach > 78 || rng.uniform() < 0.08) continue;
      reach += street.noise * rng.normal();
      // The sensor was there at that part of its turn, which begins at the back.
      const double turn = std::remainder(azimuth, 2 * std::numbers::pi) / (2 * std::numbers::pi);
      const double ahead = street.speed * 0.1 * (turn - street.stamp);
      scan.positions.push_back({static_cast<float>(reach * c + ahead),
                                static_cast<float>(reach * s),
                                static_cast<float>(height + reach * std::tan(tilt))});
    }
  }
  return scan;
}

std::vector<gs::LidarPoints> driveOf(const TwoBlocks& lidar, const Street& street, uint64_t seed) {
  std::vector<gs::LidarPoints> scans;
  for (uint64_t i = 0; i < 3; ++i) scans.push_back(scanOf(lidar, street, gs::Rng(seed).fork(i)));
  return scans;
}

double worstAngle(const gs::LidarSpec& spec, const TwoBlocks& lidar) {
  if (spec.vertical_angles_deg.size() != lidar.angles.size()) return 90;
  std::vector<double> truth = lidar.angles;
  std::sort(truth.begin(), truth.end());
  double worst = 0;
  for (size_t i = 0; i < truth.size(); ++i)
    worst = std::max(worst, std::abs(spec.vertical_angles_deg[i] - truth[i]));
  return worst;
}

TEST(InferLidarSpec, EvenChannelsByRing) {
  std::vector<double> angles;
  for (int i = 0; i < 20; ++i) angles.push_back(-19 + 2 * i);
  const gs::LidarSpec spec = inferLidarSpec(scansOf(angles, true)).spec;
  EXPECT_EQ(spec.channels, 20);
  EXPECT_EQ(spec.model, "inferred_20");
  EXPECT_NEAR(spec.vertical_fov_deg[0], -19, 1e-3);
  EXPECT_NEAR(spec.vertical_fov_deg[1], 19, 1e-3);
  EXPECT_TRUE(spec.vertical_angles_deg.empty());
  EXPECT_FALSE(spec.vertical_offsets);
  EXPECT_NEAR(spec.horizontal_resolution_deg, 0.4, 1e-9);
  EXPECT_DOUBLE_EQ(spec.max_range, 60);
  EXPECT_LE(spec.min_range, 1);
}

TEST(InferLidarSpec, UnevenChannelsAreListed) {
  const std::vector<double> angles = {-25, -12, -6, -3, -1, 0, 1, 3};
  const gs::LidarSpec spec = inferLidarSpec(scansOf(angles, true)).spec;
  ASSERT_EQ(spec.vertical_angles_deg.size(), angles.size());
  for (size_t i = 0; i < angles.size(); ++i)
    EXPECT_NEAR(spec.vertical_angles_deg[i], angles[i], 0.002);
}

TEST(InferLidarSpec, ChannelsAreCountedWithoutRings) {
  std::vector<double> angles;
  for (int i = 0; i < 32; ++i) angles.push_back(-30.67 + 1.3335 * i);
  const LidarGuess guess = inferLidarSpec(scansOf(angles, false));
  EXPECT_EQ(guess.spec.channels, 32);
  EXPECT_EQ(guess.spec.model, "HDL-32E");
  EXPECT_NEAR(guess.spec.vertical_fov_deg[0], -30.67, 0.01);
  EXPECT_NEAR(guess.spec.vertical_fov_deg[1], 10.67, 0.01);
  EXPECT_NEAR(guess.spec.horizontal_resolution_deg, 0.4, 0.011);
  EXPECT_THAT(guess.warnings, ::testing::IsEmpty());
}

TEST(InferLidarSpec, LasersThatFollowOneAnotherAreTurnsOfTheAzimuth) {
  const TwoBlocks lidar(1);
  const LidarGuess guess = inferLidarSpec(driveOf(lidar, {}, 11));
  EXPECT_EQ(guess.spec.model, "HDL-64E");
  ASSERT_EQ(guess.spec.channels, 64);
  EXPECT_LT(worstAngle(guess.spec, lidar), 0.02);
  ASSERT_TRUE(guess.spec.vertical_offsets);
  EXPECT_NEAR(guess.spec.vertical_offsets->front(), lidar.heights.back(), 0.01);
  EXPECT_NEAR(guess.spec.vertical_offsets->back(), lidar.heights.front(), 0.01);
  EXPECT_NEAR(guess.spec.horizontal_resolution_deg, 0.18, 0.002);
  EXPECT_THAT(guess.warnings, ::testing::IsEmpty());
}

TEST(InferLidarSpec, BeamsAreFoundInScansWithoutTheirMotion) {
  const TwoBlocks lidar(2);
  for (const double stamp : {0.0, 0.5}) {
    const auto scans = driveOf(lidar, {.speed = stamp > 0 ? 7.0 : 14.0, .stamp = stamp}, 12);
    const gs::LidarSpec spec = inferLidarSpec(scans).spec;
    ASSERT_EQ(spec.channels, 64) << stamp;
    EXPECT_LT(worstAngle(spec, lidar), 0.05) << stamp;
  }
}

TEST(InferLidarSpec, OneOriginIsEnoughWhereItExplainsThePoints) {
  TwoBlocks lidar(3);
  lidar.heights.assign(64, 0.0);
  const gs::LidarSpec spec = inferLidarSpec(driveOf(lidar, {.speed = 9}, 13)).spec;
  EXPECT_FALSE(spec.vertical_offsets);
  EXPECT_LT(worstAngle(spec, lidar), 0.05);
}

TEST(InferLidarSpec, ScansOfFewerLasersDoNotDisturb) {
  const TwoBlocks lidar(4);
  auto scans = driveOf(lidar, {}, 14);
  scans[1] = scanOf(lidar, {.sky_above = 1}, gs::Rng(5));
  const gs::LidarSpec spec = inferLidarSpec(scans).spec;
  EXPECT_LT(worstAngle(spec, lidar), 0.05);
}

TEST(InferLidarSpec, AGridWithEmptyPlacesSaysWhichLaser) {
  const TwoBlocks lidar(6);
  gs::LidarPoints scan;
  gs::Rng rng(7);
  for (int column = 0; column < 500; ++column)
    for (const double angle : lidar.angles) {
      const double azimuth = column * 0.72 * kRadians, range = rng.uniform(5, 60);
      const bool is_lost = rng.uniform() < 0.2;
      scan.positions.push_back(
          is_lost ? std::array<float, 3>{}
                  : std::array{static_cast<float>(range * std::cos(azimuth)),
                               static_cast<float>(range * std::sin(azimuth)),
                               static_cast<float>(range * std::tan(angle * kRadians))});
    }
  const gs::LidarSpec spec = inferLidarSpec({scan}).spec;
  EXPECT_LT(worstAngle(spec, lidar), 0.002);
  EXPECT_GE(spec.min_range, 0.3);
}

TEST(InferLidarSpec, BeamsThatLookMissingAreAWarning) {
  std::vector<double> angles;
  for (int i = 0; i < 40; ++i)
    if (i != 17 && i != 18) angles.push_back(-10 + 0.7 * i);
  const LidarGuess guess = inferLidarSpec(scansOf(angles, true));
  ASSERT_EQ(guess.warnings.size(), 1u);
  EXPECT_THAT(guess.warnings[0], ::testing::HasSubstr("a gap from 1.2 to 3.3 degrees"));
}

TEST(InferLidarSpec, NothingToSeeStillGivesAValidSpec) {
  const LidarGuess guess = inferLidarSpec({});
  EXPECT_GE(guess.spec.channels, 1);
  EXPECT_LT(guess.spec.vertical_fov_deg[0], guess.spec.vertical_fov_deg[1]);
  EXPECT_LT(guess.spec.min_range, guess.spec.max_range);
  EXPECT_FALSE(guess.warnings.empty());
}

TEST(IntensityScale, IsThatOfTheLog) {
  EXPECT_EQ(intensityScale(0.99), 1);
  EXPECT_EQ(intensityScale(1), 1);
  EXPECT_EQ(intensityScale(1.5), 255);
  EXPECT_EQ(intensityScale(255), 255);
  EXPECT_EQ(intensityScale(3000), 4095);
  EXPECT_GT(intensityScale(1e30), 1e8);  // nonsense ends too

  gs::LidarPoints scan;
  for (int i = 0; i <= 100; ++i) scan.intensity.push_back(static_cast<float>(i) / 100);
  gs::LidarSpec spec;
  setIntensityScale(1, {scan}, spec);
  EXPECT_EQ(spec.intensity_max, 1);
  EXPECT_NEAR(spec.usual_intensity.value_or(0), 0.5, 0.03);
  gs::LidarSpec of_bytes;
  setIntensityScale(200, {scan}, of_bytes);
  EXPECT_FALSE(of_bytes.intensity_max);
  gs::LidarSpec without;
  setIntensityScale(0, {}, without);
  EXPECT_EQ(without, gs::LidarSpec{});
}

TEST(InferLidarSpec, PointsOnOneSpotAreNoReasonToFail) {
  gs::LidarPoints scan;
  scan.positions.assign(5000, {0, 0, 0});
  EXPECT_GE(inferLidarSpec({scan, scan}).spec.channels, 1);
  scan.positions.assign(5000, {3, 1, -1});
  EXPECT_GE(inferLidarSpec({scan, {}}).spec.channels, 1);
}

}  // namespace
}  // namespace gs_builder
