// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/rosette.hpp"

#include <cmath>
#include <numbers>

namespace gs {

LidarRayTable makeRosette(const RosetteOptions& options) {
  LidarRayTable table;
  for (int shot = 0; shot < options.shots; ++shot) {
    const double part = static_cast<double>(shot) / options.shots;
    const double first = 2 * std::numbers::pi * options.turns * part;
    const double second = 2 * std::numbers::pi * options.others * part;
    const double left = options.half_angle_deg / 2 * (std::cos(first) + std::cos(second));
    const double up = options.half_angle_deg / 2 * (std::sin(first) + std::sin(second));
    for (int laser = 0; laser < options.lasers; ++laser)
      table.rows.push_back({left,
                            up + options.laser_spacing_deg * (laser - (options.lasers - 1) / 2.0),
                            options.period * part, static_cast<uint16_t>(laser)});
  }
  return table;
}

void mountRosette(WorldBundle& world, const std::string& id) {
  LidarCalibration& lidar = world.calibration.lidars.at(id);
  const RosetteOptions options{.period = 1 / lidar.rate_hz};
  lidar.spec.model = "rosette";
  lidar.spec.pattern = "sensors/rays_" + id + ".csv";
  lidar.spec.channels = options.lasers;
  lidar.spec.vertical_angles_deg.clear();
  lidar.spec.vertical_offsets.reset();
  world.lidar_rays[*lidar.spec.pattern] = makeRosette(options);
}

}  // namespace gs
