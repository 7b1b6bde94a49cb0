// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ego_state_core.hpp"

#include <cmath>
#include <utility>

#include "gs_sim/planar_pose.hpp"
#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {
namespace {

constexpr double kMetresPerSecondInKmh = 3.6;

bool isFinite(const EgoState& state) {
  const auto& [pose, twist, steering, speed, rate, along, across, wheels, gear] = state;
  // Sums: not finite as soon as one term is not.
  return std::isfinite(pose.x + pose.y + pose.z + pose.qx + pose.qy + pose.qz + pose.qw) &&
         std::isfinite(twist.vx + twist.vy + twist.vz + twist.wx + twist.wy + twist.wz) &&
         std::isfinite(steering + speed + rate + along + across);
}

std::shared_ptr<const gs::Heightmap> heightmapOf(const std::shared_ptr<const WorldData>& world) {
  return {world, &world->bundle.heightmap};
}

std::unique_ptr<CollisionInterface> collisionFor(const std::shared_ptr<const WorldData>& world,
                                                 const VehicleParameters& vehicle) {
  const gs::WorldBundle& bundle = world->bundle;
  if (bundle.static_mesh)
    return createMeshCollision(*bundle.static_mesh, bundle.heightmap, vehicle);
  return createStepCollision(heightmapOf(world), vehicle);
}

}  // namespace

EgoStateCore::EgoStateCore(std::shared_ptr<const WorldData> world, const VehicleParameters& vehicle)
    : world_(std::move(world)),
      vehicle_(vehicle),
      ground_(createGroundContact(heightmapOf(world_))),
      drivable_(world_->bundle.drivable),
      collision_(collisionFor(world_, vehicle)) {}

bool EgoStateCore::update(EgoState state, double dt) {
  const bool is_sound = isFinite(state);
  if (!is_sound) {
    const gs::Stamp stamp = state.pose.stamp;
    state = EgoState{.pose = state_.pose, .gear = state_.gear};
    state.pose.stamp = stamp;
  }
  settleOnGround(state, dt);
  state.wheel_speeds = wheelSpeeds(vehicle_, state);
  state_ = state;
  feature_ = drivable_.findFeatureAt(state_.pose.x, state_.pose.y);
  is_collision_ = collision_->isCollisionAt(state_.pose);
  return is_sound;
}

void EgoStateCore::settleOnGround(EgoState& state, double dt) {
  PlanarPose pose = planarPoseOf(state.pose);
  const auto footing = findFooting(*ground_, vehicle_, pose.x, pose.y, pose.yaw);
  is_ground_known_ = footing.has_value();
  if (!footing) return;
  if (dt > 0) {
    // Rates of the Z-Y-X angles in base_link; yaw has no part in these two on gentle slopes.
    state.twist.wx = (footing->roll - pose.roll) / dt;
    state.twist.wy = (footing->pitch - pose.pitch) / dt;
  }
  pose.z = footing->z;
  pose.roll = footing->roll;
  pose.pitch = footing->pitch;
  state.pose = egoPoseOf(pose, state.pose.stamp);
}

std::optional<double> EgoStateCore::speedLimit() const {
  if (!feature_) return std::nullopt;
  const auto& limit = world_->bundle.drivable.features[*feature_].speed_limit;
  if (!limit) return std::nullopt;
  return *limit / kMetresPerSecondInKmh;
}

}  // namespace gs_sim
