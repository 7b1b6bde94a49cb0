// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/bundle/lidar_rays.hpp"
#include "gs/core/rigid3.hpp"

namespace gs {

// One ray of a sweep, in the frame of the sensor.
struct LidarRay {
  Vec3 direction;       // unit length
  float height = 0;     // m above the origin of the frame, where it begins
  uint32_t moment = 0;  // when it leaves: LidarPattern::moments
  uint16_t ring = 0;
};

struct LidarMoment {
  double part = 0;       // of the sweep that is over by then, 0 .. 1
  uint32_t time_ns = 0;  // after the beginning of the sweep
};

// Where a LiDAR shoots during one sweep: any rays, in the order of time. Points of a scan stand in
// the same order.
struct LidarPattern {
  // Rays that are every ring in every column: rays[column * elevations.size() + ring].
  struct Grid {
    std::vector<double> elevations;  // rad, ascending: of the rings
    size_t columns = 0;
  };

  std::vector<LidarRay> rays;
  std::vector<LidarMoment> moments;
  std::optional<Grid> grid;  // absent: a list without such an order
};

// A sensor that turns, as the calibration has it: listed elevations (and heights), or evenly spread
// over vertical_fov; one channel stands in its middle. It begins backwards and turns clockwise seen
// from above, as such sensors do; ring 0 is the lowest channel. Throws gs::Error
// (INVALID_CALIBRATION, component lidar_generator) when it is empty, not finite or larger than
// anybody's memory; `id` says whose it is.
LidarPattern makeSpinningPattern(const LidarSpec& spec, double rate_hz, const std::string& id);

// A LiDAR of either kind; `rays` is the table that its spec names. Throws as above, also when that
// is missing. At another rate than the calibrated one (absent: at that) the same rays follow each
// other faster or slower.
LidarPattern makeLidarPattern(const std::string& id, const LidarCalibration& lidar,
                              const LidarRayTable* rays, std::optional<double> rate_hz = {});

// The plain definition of a ray in the map, of a sensor at a pose, and of a point on it, in the
// frame of the sensor. Whoever shoots faster is tested against it.
struct RayInMap {
  Vec3 from, way;
};
inline RayInMap rayInMap(const LidarRay& ray, const Rigid3& map_from_lidar) {
  return {map_from_lidar * Vec3(0, 0, ray.height), map_from_lidar.rotation * ray.direction};
}
inline Vec3 pointAt(const LidarRay& ray, double range) {
  return range * ray.direction + Vec3(0, 0, ray.height);
}

// Indices of rays, eight by eight, so that those of an octet go roughly the same way and octets
// follow each other as neighbours do: what a ray-caster likes. Each ray stands there at least once;
// where eight are not full, the last one is repeated, in the same octet.
std::vector<uint32_t> octetsOf(const LidarPattern& pattern);

}  // namespace gs
