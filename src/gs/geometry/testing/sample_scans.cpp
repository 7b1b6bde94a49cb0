// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/testing/sample_scans.hpp"

#include <cmath>
#include <map>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/lidar_sweep.hpp"

namespace gs {

SampleScans makeSampleScans(const SampleDriveTruth& truth, size_t stride) {
  const TownRenderer renderer(truth.town);
  const LidarCalibration& lidar = truth.options.rig.lidars.begin()->second;
  const Rigid3 base_from_lidar = lidar.extrinsics.baseFromSensor();
  const double period = 1.0 / lidar.rate_hz;
  const auto sweeps = static_cast<size_t>(std::floor(truth.options.seconds * lidar.rate_hz + 1e-9));
  SampleScans sample;
  for (size_t k = 0; k < sweeps; ++k)
    sample.trajectory.push_back(truth.motion.mapFromBase(static_cast<double>(k) * period));
  const size_t count = (sweeps + stride - 1) / stride;
  sample.scans.resize(count);
  sample.is_moving.resize(count);
  const Rng rng(truth.options.seed);
  parallelFor(count, 1, [&](size_t i, size_t) {
    const double begin = static_cast<double>(i * stride) * period;
    const auto map_from_lidar = [&](double t) {
      return truth.motion.mapFromBase(t) * base_from_lidar;
    };
    const std::vector<LidarReturn> returns =
        sweepLidar(renderer, lidar, map_from_lidar,
                   {.begin = begin,
                    .range_noise = truth.options.has_lidar_noise ? 0.01 : 0.0,
                    .has_moving_objects = truth.options.has_moving_objects},
                   rng.fork(i * stride));
    PosedScan& scan = sample.scans[i];
    scan.stamp = kSampleDriveStart + Duration{std::llround(begin * 1e9)};
    scan.map_from_base = truth.motion.mapFromBase(begin);
    const Rigid3 base_from_map = scan.map_from_base.inverse();
    scan.sensor_in_base = base_from_map * map_from_lidar(begin + period / 2).translation;
    float time = -1;
    Rigid3 base_from_shot;
    for (const LidarReturn& shot : returns) {
      if (shot.time != time) {
        time = shot.time;
        base_from_shot = base_from_map * map_from_lidar(begin + static_cast<double>(time));
      }
      const Vec3 p = base_from_shot * Vec3(shot.x, shot.y, shot.z);
      scan.points.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()),
                             static_cast<float>(p.z()), shot.intensity});
      sample.is_moving[i].push_back(shot.thing == Thing::Moving);
    }
  });
  return sample;
}

ScanSource sourceOf(const std::vector<PosedScan>& scans) {
  return {scans.size(), [&scans](size_t i) { return scans[i]; }};
}

ImageSource makeSampleImages(const SampleDriveTruth& truth,
                             std::shared_ptr<const TownRenderer> renderer, size_t stride) {
  ImageSource images;
  auto rays = std::make_shared<std::map<std::string, RayTable>>();
  std::vector<std::pair<const RayTable*, double>> views;
  for (const auto& [id, camera] : truth.options.rig.cameras) {
    const RayTable& table =
        rays->emplace(id,
                      makeRayTable({camera.image_width, camera.image_height, camera.intrinsics}))
            .first->second;
    for (size_t k = 0;; k += stride) {
      const double t = static_cast<double>(k) / camera.rate_hz;
      if (t >= truth.options.seconds) break;
      images.poses.push_back({kSampleDriveStart + Duration{std::llround(t * 1e9)}, camera,
                              truth.motion.mapFromBase(t) * camera.extrinsics.baseFromSensor()});
      views.emplace_back(&table, t);
    }
  }
  const bool has_moving_objects = truth.options.has_moving_objects;
  images.load = [rays, views, renderer, poses = images.poses, has_moving_objects](size_t i) {
    return renderer
        ->renderView(*views[i].first, poses[i].map_from_camera, views[i].second,
                     {.has_moving_objects = has_moving_objects})
        .rgb;
  };
  return images;
}

}  // namespace gs
