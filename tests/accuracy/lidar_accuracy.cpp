// SPDX-License-Identifier: Apache-2.0
#include "lidar_accuracy.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include "gs/synthetic/lidar_sweep.hpp"
#include "gs_sim/lidar_generator.hpp"

namespace gs {
namespace {

// Column and ring: what names a ray in both scans.
using RayName = std::pair<long, uint16_t>;
RayName nameOf(float x, float y, uint16_t ring, double resolution_deg) {
  const auto columns = std::lround(360 / resolution_deg);
  const double turn = (1 - std::atan2(y, x) / std::numbers::pi) / 2;
  return {std::lround(turn * static_cast<double>(columns)) % columns, ring};
}

std::map<RayName, double> rangesOf(const gs_sim::LidarScan& scan, double resolution_deg) {
  std::map<RayName, double> ranges;
  for (size_t i = 0; i < scan.size(); ++i)
    ranges[nameOf(scan.x[i], scan.y[i], scan.ring[i], resolution_deg)] =
        std::hypot(scan.x[i], scan.y[i], scan.z[i]);
  return ranges;
}

void count(RangeAgreement& agreement, const std::map<RayName, double>& ranges, const RayName& ray,
           double true_range) {
  ++agreement.rays;
  const auto found = ranges.find(ray);
  if (found == ranges.end()) return;
  const double error = std::abs(found->second - true_range);
  ++agreement.returned;
  agreement.within_5cm += error <= 0.05;
  agreement.within_10cm += error <= 0.10;
}

}  // namespace

LidarAgreement compareLidar(const SampleDriveTruth& truth, const Heightmap& ground,
                            const TriangleMesh& mesh, int poses) {
  WorldBundle bundle;
  bundle.heightmap = ground;
  bundle.static_mesh = mesh;
  bundle.calibration = truth.options.rig;
  const auto& [id, lidar] = *truth.options.rig.lidars.begin();
  gs_sim::SensorParameters::Lidar parameters;
  parameters.raycast.use_static_mesh = gs_sim::UseMesh::No;
  const auto by_heightmap = gs_sim::createLidarGenerator(bundle, parameters);
  parameters.raycast.use_static_mesh = gs_sim::UseMesh::Auto;
  const auto by_both = gs_sim::createLidarGenerator(bundle, parameters);
  const TownRenderer town(truth.town);
  const double resolution = lidar.spec.horizontal_resolution_deg;

  LidarAgreement agreement;
  for (int i = 0; i < poses; ++i) {
    const double t = truth.options.seconds * (i + 0.5) / poses;
    const Rigid3 map_from_base = truth.motion.mapFromBase(t);
    const Rigid3 map_from_lidar = map_from_base * lidar.extrinsics.baseFromSensor();
    const std::vector<LidarReturn> returns = sweepLidar(
        town, lidar, [&](double) { return map_from_lidar; },
        {.begin = t, .has_moving_objects = false}, Rng(1));
    gs_sim::EgoState ego;
    ego.pose = gs_sim::toEgoPose(map_from_base, {});
    const auto scan = [&](gs_sim::LidarGeneratorInterface& generator) {
      return rangesOf(*generator.generate(std::vector<std::string>{id}, ego, {})[0].value,
                      resolution);
    };
    const auto heightmap_ranges = scan(*by_heightmap), both_ranges = scan(*by_both);
    for (const LidarReturn& back : returns) {
      const RayName ray = nameOf(back.x, back.y, back.ring, resolution);
      const double range = std::hypot(back.x, back.y, back.z);
      const Vec3 p = map_from_lidar * Vec3(back.x, back.y, back.z);
      count(agreement.all_by_mesh, both_ranges, ray, range);
      if (std::abs(p.z() - truth.town.groundHeight(p.x(), p.y())) < 0.005)
        count(agreement.ground_by_heightmap, heightmap_ranges, ray, range);
    }
  }
  return agreement;
}

}  // namespace gs
