// SPDX-License-Identifier: Apache-2.0
#include "apps/common/simulated_ego.hpp"

#include "gs/core/error.hpp"
#include "gs_sim/camera_renderer.hpp"
#include "gs_sim/planar_pose.hpp"

namespace apps {

SimulatedEgo::SimulatedEgo(std::shared_ptr<const gs_sim::WorldData> world)
    : simulator_(world, {}),
      cameras_(gs_sim::createCameraRenderer(world->bundle, gs_sim::SensorParameters::Camera{})) {}

gs_builder::SimulatedView SimulatedEgo::viewAt(const std::string& camera_id,
                                               const gs::Rigid3& recorded_map_from_base,
                                               const gs_builder::EgoMotion& motion) {
  gs_sim::PlanarPose pose = gs_sim::planarPoseOf(gs_sim::toEgoPose(recorded_map_from_base, {}));
  pose.roll = pose.pitch = 0;
  const gs_sim::RequestResult placed =
      simulator_.setEgoPose(gs_sim::egoPoseOf(pose, {}),
                            {.vx = motion.speed, .wz = motion.yaw_rate}, motion.acceleration);
  const gs_sim::StepOutput step = simulator_.current();
  const std::vector<std::string> ids{camera_id};
  auto outcome = cameras_->render(ids, step.ego, step.info);
  if (!placed.success || !outcome[0].value)
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "evaluate",
                     .message = placed.success ? outcome[0].problem : placed.message,
                     .suggestion = "Check the world with 'gs-simulator check'."});
  return {std::move(outcome[0].value->image), gs_sim::mapFromBase(step.ego.pose)};
}

}  // namespace apps
