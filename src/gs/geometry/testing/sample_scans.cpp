// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/testing/sample_scans.hpp"

#include <cmath>
#include <map>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/drive_lidar.hpp"

namespace gs {

SampleScans makeSampleScans(const SampleDriveTruth& truth, size_t stride) {
  const SampleDriveOptions& options = truth.options;
  const TownRenderer renderer(truth.town);
  const auto& [id, lidar] = *options.rig.lidars.begin();
  const Rigid3 base_from_lidar = lidar.extrinsics.baseFromSensor();
  const auto mapFromLidar = [&, &mount = base_from_lidar](double t) {
    return truth.motion.mapFromBase(t) * mount;
  };
  SampleScans sample;
  const double period = 1.0 / lidar.rate_hz;
  const auto stampOf = [&, &name = id](size_t k) {
    return toSeconds(lidarTime(options, name, static_cast<int64_t>(k)));
  };
  for (size_t k = 0; stampOf(k) < options.seconds - 1e-9; ++k)
    sample.trajectory.push_back(truth.motion.mapFromBase(stampOf(k)));
  const size_t count = (sample.trajectory.size() + stride - 1) / stride;
  sample.scans.resize(count);
  sample.things.resize(count);
  parallelFor(count, 1, [&, &name = id](size_t i, size_t) {
    const auto k = static_cast<int64_t>(i * stride);
    const DriveScan shots = scanDrive(truth, renderer, name, k);
    const double stamp = toSeconds(shots.stamp - kSampleDriveStart);
    const double begin = toSeconds(sweepBegin(options, name, k));
    PosedScan& scan = sample.scans[i];
    scan.stamp = shots.stamp;
    scan.map_from_base = truth.motion.mapFromBase(stamp);
    const Rigid3 base_from_map = scan.map_from_base.inverse();
    scan.sensor_in_base = base_from_map * mapFromLidar(begin + period / 2).translation;
    float time = -1;
    Rigid3 base_from_shot = base_from_lidar;
    for (const LidarReturn& shot : shots.returns) {
      if (!options.clouds.is_motion_compensated && shot.time != time) {
        time = shot.time;
        base_from_shot = base_from_map * mapFromLidar(begin + static_cast<double>(time));
      }
      const Vec3 p = base_from_shot * Vec3(shot.x, shot.y, shot.z);
      scan.points.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()),
                             static_cast<float>(p.z()), shot.intensity});
      sample.things[i].push_back(shot.thing);
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
      const double t = toSeconds(cameraTime(truth.options, id, static_cast<int64_t>(k)));
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
