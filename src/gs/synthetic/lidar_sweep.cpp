// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/lidar_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

// What a sensor of its class sees: 10 % reflectivity head-on at four fifths of its range.
bool isStrongEnough(const TownRenderer::Hit& hit, const LidarSpec& spec) {
  const double relative = hit.range / (0.8 * spec.max_range);
  return hit.reflectivity * hit.cos_incidence >= 0.1 * relative * relative;
}

// Dark paint swallows what comes back by the square; at 20 % reflectivity it is the usual share.
bool isDropped(const TownRenderer::Hit& hit, double share, Rng& rng) {
  constexpr double kUsual = 0.2, kMost = 0.9;
  const double darkness = kUsual / std::max(0.01, static_cast<double>(hit.reflectivity));
  return rng.uniform() < std::min(kMost, share * darkness * darkness);
}

// Dust or rain on the way: somewhere before what would have been hit.
TownRenderer::Hit strayBefore(const TownRenderer::Hit& hit, const LidarSpec& spec, Rng& rng) {
  const double end = hit.range > 0 ? std::min<double>(hit.range, spec.max_range) : spec.max_range;
  const double range = rng.uniform(std::min(spec.min_range, end), end);
  return {.range = static_cast<float>(range),
          .reflectivity = 0.1f,
          .thing = Thing::Stray,
          .cos_incidence = 1};
}

float intensityOf(const TownRenderer::Hit& hit) {
  return std::clamp(255.0f * hit.reflectivity * std::sqrt(hit.cos_incidence), 0.0f, 255.0f);
}

// What dust, dark paint and the ego's own roof make of the true hits.
void disturb(std::vector<TownRenderer::Hit>& hits, const std::vector<LidarRay>& rays,
             const LidarSpec& spec, const LidarSweepOptions& options, Rng rng) {
  const bool is_clear = options.stray_share <= 0 && options.dropout_share <= 0;
  if (is_clear && !options.own_roof) return;
  for (size_t i = 0; i < hits.size(); ++i) {
    if (const double roof = options.own_roof ? options.own_roof->rangeAlong(rays[i].direction) : 0;
        roof > 0 && (hits[i].range <= 0 || roof < static_cast<double>(hits[i].range)))
      hits[i] = {.range = static_cast<float>(roof),
                 .reflectivity = 0.4f,
                 .thing = Thing::OwnCar,
                 .cos_incidence = 0.3f};
    if (options.stray_share > 0 && rng.uniform() < options.stray_share)
      hits[i] = strayBefore(hits[i], spec, rng);
    else if (options.dropout_share > 0 && isDropped(hits[i], options.dropout_share, rng))
      hits[i] = {};
  }
}

}  // namespace

double OwnRoof::rangeAlong(const Vec3& direction) const {
  const Rigid3 footprint_from_lidar = lidar_from_footprint.inverse();
  const Vec3 way = footprint_from_lidar.rotation * direction;
  const Vec3& eye = footprint_from_lidar.translation;
  const double range = (height - eye.z()) / way.z();
  if (!(range > 0)) return 0;
  const Vec3 p = eye + range * way;
  const bool is_on_roof = p.x() >= back && p.x() <= front && std::abs(p.y()) <= half_width;
  return is_on_roof ? range : 0;
}

std::vector<LidarReturn> sweepLidar(const TownRenderer& town, const LidarPattern& pattern,
                                    const LidarCalibration& lidar,
                                    const std::function<Rigid3(double t)>& map_from_lidar,
                                    const LidarSweepOptions& options, Rng rng) {
  const double period = 1.0 / lidar.rate_hz;
  std::vector<double> times;
  std::vector<Rigid3> poses;
  for (const LidarMoment& moment : pattern.moments) {
    times.push_back(options.begin + period * moment.part);
    poses.push_back(map_from_lidar(times.back()));
  }
  std::vector<TownRenderer::Ray> rays;
  rays.reserve(pattern.rays.size());
  for (const LidarRay& ray : pattern.rays) {
    const auto [from, way] = rayInMap(ray, poses[ray.moment]);
    rays.push_back({from.cast<float>(), way.cast<float>(), times[ray.moment]});
  }
  std::vector<TownRenderer::Hit> hits(rays.size());
  town.cast(rays, hits, options.has_moving_objects);
  disturb(hits, pattern.rays, lidar.spec, options, rng.fork(0xd15));

  std::vector<LidarReturn> returns;
  for (size_t i = 0; i < rays.size(); ++i) {
    const double noise = options.range_noise > 0 ? options.range_noise * rng.normal() : 0.0;
    const double range = hits[i].range + noise;
    if (hits[i].range <= 0 || range < lidar.spec.min_range || range > lidar.spec.max_range ||
        !isStrongEnough(hits[i], lidar.spec))
      continue;
    const Vec3f point = pointAt(pattern.rays[i], range).cast<float>();
    returns.push_back({point.x(), point.y(), point.z(), intensityOf(hits[i]), pattern.rays[i].ring,
                       static_cast<float>(rays[i].t - options.begin), hits[i].thing,
                       static_cast<uint32_t>(i)});
  }
  return returns;
}

}  // namespace gs
