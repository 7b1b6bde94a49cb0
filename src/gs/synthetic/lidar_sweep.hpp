// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/rng.hpp"
#include "gs/lidar/lidar_pattern.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {

// One return of a LiDAR, in the sensor's frame at the moment of the shot.
struct LidarReturn {
  float x, y, z;
  float intensity;  // 0..255
  uint16_t ring;    // channel, 0 is the lowest
  float time;       // s since the sweep began
  Thing thing;      // truth: what it lies on
  uint32_t ray;     // of the pattern
};

// The roof that a LiDAR of the ego stands on: what lies in its shade is not seen, and some of it
// comes back.
struct OwnRoof {
  Rigid3 lidar_from_footprint;      // of the vehicle: rear axle, on the ground
  double height = 1.47;             // m
  double back = -0.2, front = 1.0;  // m ahead of the rear axle
  double half_width = 0.55;         // m

  // How far along a unit direction in the sensor's frame the roof is; 0: not in the way.
  double rangeAlong(const Vec3& direction) const;
};

struct LidarSweepOptions {
  double begin = 0;          // s, when the sweep begins
  double range_noise = 0;    // m, standard deviation along the ray
  double stray_share = 0;    // of the shots come back from dust or rain
  double dropout_share = 0;  // of the returns are lost; of dark surfaces many more
  std::optional<OwnRoof> own_roof;
  bool has_moving_objects = true;
};

// A sweep of the sensor while the vehicle moves on: `map_from_lidar` is asked for the pose at each
// moment of the pattern. Shots without a return (sky, out of range, too weak) give no point.
std::vector<LidarReturn> sweepLidar(const TownRenderer& town, const LidarPattern& pattern,
                                    const LidarCalibration& lidar,
                                    const std::function<Rigid3(double t)>& map_from_lidar,
                                    const LidarSweepOptions& options, Rng rng);

}  // namespace gs
