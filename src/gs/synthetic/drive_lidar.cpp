// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_lidar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/synthetic/drive_timing.hpp"

namespace gs {
namespace {

// Points of one sweep as if all had been shot from where the sensor was at the stamp.
void compensate(std::vector<LidarReturn>& returns, double begin, double stamp,
                const std::function<Rigid3(double t)>& map_from_lidar) {
  const Rigid3 stamp_from_map = map_from_lidar(stamp).inverse();
  float time = -1;
  Rigid3 stamp_from_shot;
  for (LidarReturn& shot : returns) {
    if (shot.time != time) {
      time = shot.time;
      stamp_from_shot = stamp_from_map * map_from_lidar(begin + static_cast<double>(time));
    }
    const Vec3f p = (stamp_from_shot * Vec3(shot.x, shot.y, shot.z)).cast<float>();
    shot.x = p.x(), shot.y = p.y(), shot.z = p.z();
  }
}

// The top beam first; within a beam from straight ahead to the left and round, in the order of
// shots; only the first and the last go where compensation carried them.
void sortByRing(std::vector<LidarReturn>& returns, double rate_hz) {
  const auto roundFromAhead = [&](const LidarReturn& shot) {
    double turn = 0.5 - static_cast<double>(shot.time) * rate_hz;  // + is left of ahead
    if (turn < 0) turn += 1;
    if (turn < 0.1 && shot.y < 0) return turn + 1;
    if (turn > 0.9 && shot.y >= 0) return turn - 1;
    return turn;
  };
  std::sort(returns.begin(), returns.end(), [&](const LidarReturn& a, const LidarReturn& b) {
    if (a.ring != b.ring) return a.ring > b.ring;
    return roundFromAhead(a) < roundFromAhead(b);
  });
}

void scaleIntensities(std::vector<LidarReturn>& returns, double full) {
  if (full == 255) return;
  for (LidarReturn& shot : returns) {
    const double share = static_cast<double>(shot.intensity) / 255;
    // A hundred steps, the brightest just below full, as drivers that give 0..1 have it.
    shot.intensity = static_cast<float>(full * std::min(99.0, std::floor(100 * share)) / 100);
  }
}

}  // namespace

DriveScan scanDrive(const SampleDriveTruth& truth, const TownRenderer& renderer,
                    const std::string& lidar_id, int64_t k) {
  const SampleDriveOptions& options = truth.options;
  const CloudTraits& traits = options.clouds;
  const LidarCalibration& lidar = options.rig.lidars.at(lidar_id);
  const Rigid3 base_from_lidar = lidar.extrinsics.baseFromSensor();
  const auto map_from_lidar = [&](double t) {
    return truth.motion.mapFromBase(t) * base_from_lidar;
  };
  const double begin = toSeconds(sweepBegin(options, lidar_id, k));
  const Duration stamp = lidarTime(options, lidar_id, k);
  LidarSweepOptions sweep{.begin = begin,
                          .range_noise = options.has_lidar_noise ? traits.range_noise : 0.0,
                          .stray_share = traits.stray_share,
                          .dropout_share = traits.dropout_share,
                          .has_moving_objects = options.has_moving_objects};
  if (traits.sees_own_roof)
    sweep.own_roof =
        OwnRoof{.lidar_from_footprint = base_from_lidar.inverse() *
                                        options.base_above_ground.footingFromBase().inverse()};
  // The first LiDAR's noise is that of a rig with one.
  Rng rng = Rng(options.seed).fork(0x4c00000000ULL + static_cast<uint64_t>(k));
  for (auto other = options.rig.lidars.begin(); other->first != lidar_id; ++other)
    rng = rng.fork(0x2d);
  DriveScan scan{kSampleDriveStart + stamp,
                 sweepLidar(renderer, makeLidarPattern(lidar_id, lidar, nullptr), lidar,
                            map_from_lidar, sweep, rng)};
  if (traits.is_motion_compensated)
    compensate(scan.returns, begin, toSeconds(stamp), map_from_lidar);
  if (traits.is_in_ring_order) sortByRing(scan.returns, lidar.rate_hz);
  scaleIntensities(scan.returns, traits.full_intensity);
  return scan;
}

}  // namespace gs
