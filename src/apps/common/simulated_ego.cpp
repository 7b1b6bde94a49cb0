// SPDX-License-Identifier: Apache-2.0
#include "apps/common/simulated_ego.hpp"

#include <algorithm>

#include "gs/core/error.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/sensor_kinds.hpp"

namespace apps {
namespace {

gs_sim::Sensors camerasOf(const gs_sim::WorldData& world) {
  gs_sim::SimulationParameters parameters;
  for (const gs_sim::NamedChoice& named : choicesIn(parameters.sensors))
    named.choice.enable = named.kind == "camera";
  return createSensors(world, parameters).sensors;
}

}  // namespace

SimulatedEgo::SimulatedEgo(std::shared_ptr<const gs_sim::WorldData> world)
    : simulator_(world, {}), cameras_(camerasOf(*world)) {}

gs_builder::SimulatedView SimulatedEgo::viewAt(const std::string& camera_id,
                                               const gs::Rigid3& recorded_map_from_base,
                                               const gs_builder::EgoMotion& motion) {
  gs_sim::PlanarPose pose = gs_sim::planarPoseOf(gs_sim::toEgoPose(recorded_map_from_base, {}));
  pose.roll = pose.pitch = 0;
  const gs_sim::RequestResult placed =
      simulator_.setEgoPose(gs_sim::egoPoseOf(pose, {}),
                            {.vx = motion.speed, .wz = motion.yaw_rate}, motion.acceleration);
  const gs_sim::StepOutput step = simulator_.current();
  const auto camera = std::find_if(cameras_.begin(), cameras_.end(), [&](const auto& each) {
    return each->description().id == camera_id;
  });
  gs_sim::SensorResult result{nullptr, "there is no camera '" + camera_id + "'"};
  if (camera != cameras_.end())
    result = (*camera)->sample({step.info, step.ego, gs::backgroundOnly()});
  const auto* frame = gs_sim::findValue<gs_sim::CameraFrame>(result.data.get());
  if (!placed.success || !result.problem.empty() || frame == nullptr)
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "evaluate",
                     .message = placed.success ? result.problem : placed.message,
                     .suggestion = "Check the world with 'gs-simulator check'."});
  return {frame->image, gs_sim::mapFromBase(step.ego.pose)};
}

}  // namespace apps
