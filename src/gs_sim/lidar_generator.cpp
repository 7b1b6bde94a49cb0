// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/lidar_generator.hpp"

#include <map>

#include "gs/lidar/lidar_model.hpp"

namespace gs_sim {
namespace {

const gs::TriangleMesh* meshOf(const gs::WorldBundle& bundle, const SensorParameters::Raycast& by) {
  return by.use_static_mesh != UseMesh::No && bundle.static_mesh ? &*bundle.static_mesh : nullptr;
}

class RaycastLidars final : public LidarGeneratorInterface {
 public:
  RaycastLidars(const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters)
      : raycast_(parameters.raycast),
        world_(raycast_.use_heightmap ? &bundle.heightmap : nullptr, meshOf(bundle, raycast_)) {
    for (const auto& [id, lidar] : bundle.calibration.lidars)
      models_.emplace(id, gs::LidarModel(id, lidar,
                                         {.rays = bundle.raysOf(lidar.spec),
                                          .rate_hz = parameters.rate_override,
                                          .seed = raycast_.seed,
                                          .world = &world_.reflectivity}));
    if (raycast_.add_noise) noise_ = {raycast_.noise_std, raycast_.dropout};
  }

  std::vector<SensorOutcome<LidarScan>> generate(std::span<const std::string> lidar_ids,
                                                 const EgoState& ego,
                                                 const StepInfo& info) override {
    std::vector<SensorOutcome<LidarScan>> outcomes;
    for (const std::string& id : lidar_ids) {
      const auto found = models_.find(id);
      if (found == models_.end()) {
        outcomes.push_back({std::nullopt, "there is no LiDAR '" + id + "'"});
        continue;
      }
      const gs::SweepPoses poses = posesOf(found->second, ego);
      if (!poses.isFinite()) {
        outcomes.push_back({std::nullopt, "LiDAR '" + id + "': the pose of the ego is not finite"});
        continue;
      }
      try {
        outcomes.push_back({found->second.sweep(world_, poses, noise_, info.stamp, info.step), ""});
      } catch (const std::exception& failure) {
        outcomes.push_back({std::nullopt, "LiDAR '" + id + "': " + failure.what()});
      }
    }
    return outcomes;
  }

 private:
  gs::SweepPoses posesOf(const gs::LidarModel& model, const EgoState& ego) const {
    const gs::Rigid3 map_from_base = mapFromBase(ego.pose);
    if (!raycast_.motion_during_sweep) return gs::SweepPoses(map_from_base * model.baseFromLidar());
    const EgoTwist& twist = ego.twist;
    return gs::SweepPoses(map_from_base,
                          {{twist.vx, twist.vy, twist.vz}, {twist.wx, twist.wy, twist.wz}},
                          model.baseFromLidar(), model.period());
  }

  SensorParameters::Raycast raycast_;
  gs::LidarWorld world_;
  std::map<std::string, gs::LidarModel> models_;
  std::optional<gs::LidarNoise> noise_;
};

}  // namespace

std::unique_ptr<LidarGeneratorInterface> createLidarGenerator(
    const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters) {
  return std::make_unique<RaycastLidars>(bundle, parameters);
}

}  // namespace gs_sim
