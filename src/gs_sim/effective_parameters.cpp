// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/effective_parameters.hpp"

#include <algorithm>

#include "gs/core/rigid3.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/sensor_kinds.hpp"

namespace gs_sim {
namespace {

template <typename T>
void fill(std::optional<T>& value, const T& otherwise) {
  if (!value) value = otherwise;
}

LoopParameters::InitialPose initialPoseOf(const gs::Timebase::InitialPose& world) {
  const gs::RollPitchYaw angles = gs::toRollPitchYaw(gs::fromXyzw(world.orientation).normalized());
  const auto& [x, y, z] = world.position;
  return {x, y, z, angles.roll, angles.pitch, angles.yaw};
}

}  // namespace

SimulationParameters effectiveParameters(SimulationParameters parameters,
                                         const gs::WorldBundle& world) {
  auto& [folder, vehicle, loop, sensors, frames, ground] = parameters;
  fill(vehicle.cg_to_rear_axle, vehicle.wheelbase / 2);
  fill(vehicle.power_limited_above, kNoPowerLimit);

  const gs::Timebase& timebase = world.timebase;
  fill(vehicle.base_link_above_ground,
       timebase.base_link_above_ground.value_or(gs::BaseLinkAboveGround{}));
  fill(loop.dt, timebase.simulation.dt);
  loop.initial_pose = loop.initial_pose.value_or(LoopParameters::InitialPose{})
                          .orElse(initialPoseOf(timebase.initial_pose));
  fill(loop.initial_velocity, std::clamp(timebase.initial_pose.velocity[0],
                                         -vehicle.max_reverse_speed, vehicle.max_speed));
  fill(loop.replay_control, std::string());

  const std::vector<NamedChoice> choices = choicesIn(sensors);
  for (const SensorKind& kind : sensorKinds())
    for (const NamedChoice& named : choices) {
      if (named.kind != kind.name) continue;
      if (named.choice.ids.empty()) named.choice.ids = kind.ids(world.calibration);
      fill(named.choice.rate_override, 0.0);
    }
  fill(sensors.lidar.raycast.seed, sensors.seed);
  if (sensors.camera.renderer == gs::RendererKind::Auto)
    sensors.camera.renderer = gs::RendererKind::Cpu;

  if (ground.source == GroundSource::Auto) ground.source = GroundSource::Heightmap;

  const auto& names = world.metadata.coordinate_system;
  fill(frames.map, names.map_frame);
  fill(frames.odom, names.odom_frame);
  fill(frames.base_link, names.base_link_frame);
  return parameters;
}

FrameNames frameNamesOf(const SimulationParameters& effective) {
  return {*effective.frames.map, *effective.frames.odom, *effective.frames.base_link};
}

}  // namespace gs_sim
