// SPDX-License-Identifier: Apache-2.0
#include "lidar_accuracy.hpp"

#include <cmath>

#include "gs/lidar/lidar_model.hpp"
#include "gs/synthetic/lidar_sweep.hpp"

namespace gs {
namespace {

void count(RangeAgreement& agreement, const RayReturn& simulated, double true_range) {
  ++agreement.rays;
  if (!(simulated.range > 0)) return;
  const double error = std::abs(simulated.range - true_range);
  ++agreement.returned;
  agreement.within_5cm += error <= 0.05;
  agreement.within_10cm += error <= 0.10;
}

}  // namespace

LidarAgreement compareLidar(const SampleDriveTruth& truth, const Heightmap& ground,
                            const TriangleMesh& mesh, int poses) {
  const auto& [id, lidar] = *truth.options.rig.lidars.begin();
  const LidarModel model(id, lidar, {});
  const LidarWorld by_heightmap(&ground, nullptr), by_both(&ground, &mesh);
  const TownRenderer town(truth.town);

  LidarAgreement agreement;
  for (int i = 0; i < poses; ++i) {
    const double t = truth.options.seconds * (i + 0.5) / poses;
    const Rigid3 map_from_lidar = truth.motion.mapFromBase(t) * model.baseFromLidar();
    const std::vector<LidarReturn> returns = sweepLidar(
        town, model.pattern(), lidar, [&](double) { return map_from_lidar; },
        {.begin = t, .has_moving_objects = false}, Rng(1));
    const SweepPoses at_rest(map_from_lidar);
    const auto heightmap_returns = model.returns(by_heightmap, at_rest, {}, 0);
    const auto both_returns = model.returns(by_both, at_rest, {}, 0);
    for (const LidarReturn& back : returns) {
      const Vec3 p_in_lidar(back.x, back.y, back.z), p = map_from_lidar * p_in_lidar;
      const double range = (p_in_lidar - pointAt(model.pattern().rays[back.ray], 0)).norm();
      count(agreement.all_by_mesh, both_returns[back.ray], range);
      if (std::abs(p.z() - truth.town.groundHeight(p.x(), p.y())) < 0.005)
        count(agreement.ground_by_heightmap, heightmap_returns[back.ray], range);
    }
  }
  return agreement;
}

}  // namespace gs
