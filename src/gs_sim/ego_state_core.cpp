// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ego_state_core.hpp"

#include <cmath>
#include <utility>

#include "gs/core/check.hpp"
#include "gs_sim/mesh_ground.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {
namespace {

constexpr double kSwayTime = 0.15;  // s until a body has leant by two thirds

bool isFinite(const EgoState& state) {
  const auto& [pose, twist, steering, speed, rate, along, across, wheels, turning, gear] = state;
  // Sums: not finite as soon as one term is not.
  return std::isfinite(pose.x + pose.y + pose.z + pose.qx + pose.qy + pose.qz + pose.qw) &&
         std::isfinite(twist.vx + twist.vy + twist.vz + twist.wx + twist.wy + twist.wz) &&
         std::isfinite(steering + speed + rate + along + across);
}

gs::BaseLinkAboveGround aboveGround(const VehicleParameters& vehicle) {
  return vehicle.base_link_above_ground.value_or(gs::BaseLinkAboveGround{});
}

std::shared_ptr<const gs::Heightmap> heightmapOf(const std::shared_ptr<const WorldData>& world) {
  return {world, &world->bundle.heightmap};
}

std::unique_ptr<GroundContactInterface> groundFor(const std::shared_ptr<const WorldData>& world,
                                                  GroundSource source) {
  if (source != GroundSource::Mesh) return createGroundContact(heightmapOf(world));
  GS_CHECK(world->bundle.static_mesh.has_value());
  return createMeshGroundContact(*world->bundle.static_mesh, heightmapOf(world));
}

// The plane that a footing stands on.
GroundLevel levelOf(const EgoPose& footing) {
  const gs::Vec3 up = mapFromBase(footing).rotation * gs::Vec3::UnitZ();
  if (!(up.z() > 0.1)) return {footing.x, footing.y, footing.z};  // on its side: level, then
  return {footing.x, footing.y, footing.z, -up.x() / up.z(), -up.y() / up.z()};
}

std::unique_ptr<CollisionInterface> collisionFor(const std::shared_ptr<const WorldData>& world,
                                                 const VehicleParameters& vehicle) {
  const gs::WorldBundle& bundle = world->bundle;
  if (bundle.static_mesh)
    return createMeshCollision(*bundle.static_mesh, bundle.heightmap, vehicle);
  return createStepCollision(heightmapOf(world), vehicle);
}

}  // namespace

EgoStateCore::EgoStateCore(std::shared_ptr<const WorldData> world, const VehicleParameters& vehicle,
                           GroundSource ground, const std::vector<const gs::TriangleMesh*>& meshes)
    : world_(std::move(world)),
      vehicle_(vehicle),
      ground_(groundFor(world_, ground)),
      drivable_(world_->bundle.drivable),
      collision_(collisionFor(world_, vehicle), meshes, vehicle),
      is_on_road_(aboveGround(vehicle) == gs::BaseLinkAboveGround{}),
      above_ground_(aboveGround(vehicle)),
      footing_from_base_(above_ground_.footingFromBase()) {}

bool EgoStateCore::update(EgoState footing, double dt, const gs::SceneState& scene) {
  const bool is_sound = isFinite(footing);
  if (!is_sound) {
    const gs::Stamp stamp = footing.pose.stamp;
    footing = EgoState{.pose = footing_.pose, .gear = footing_.gear};
    footing.pose.stamp = stamp;
  }
  settleOnGround(footing, dt);
  sway(footing, dt);
  footing.wheel_speeds = wheelSpeeds(vehicle_, footing);
  footing_ = footing;
  const EgoTwist before = state_.twist;
  state_ = is_on_road_ ? footing : baseLinkOver(footing);
  state_.angular_acceleration = {};
  if (dt > 0 && is_sound) {
    const EgoTwist& now = state_.twist;
    state_.angular_acceleration = {(now.wx - before.wx) / dt, (now.wy - before.wy) / dt,
                                   (now.wz - before.wz) / dt};
  }
  feature_ = drivable_.findFeatureAt(footing_.pose.x, footing_.pose.y);
  is_collision_ = collision_.isCollisionAt(footing_.pose, scene);
  return is_sound;
}

void EgoStateCore::place(const EgoState& base_link, const gs::SceneState& scene) {
  EgoState footing = base_link;
  sway(footing, 0);
  if (!is_on_road_) {
    const PlanarPose wanted = planarPoseOf(base_link.pose);
    footing.pose =
        toEgoPose(mapFromBase(base_link.pose) * footing_from_base_.inverse(), base_link.pose.stamp);
    // On a slope the footing is not straight below base_link, and how far off follows from where
    // it stands: a few rounds end within a thousandth of a millimetre.
    for (int round = 0; round < 4; ++round) {
      EgoState settled = footing;
      settleOnGround(settled, 0);
      if (!is_ground_known_) break;
      const PlanarPose found = planarPoseOf(baseLinkOver(settled).pose);
      PlanarPose next = planarPoseOf(settled.pose);
      next.x += wanted.x - found.x;
      next.y += wanted.y - found.y;
      next.yaw += wanted.yaw - found.yaw;
      footing.pose = egoPoseOf(next, base_link.pose.stamp);
    }
  }
  update(footing, 0, scene);
}

void EgoStateCore::sway(const EgoState& footing, double dt) {
  if (!leans()) return;
  const double part = dt > 0 ? 1 - std::exp(-dt / kSwayTime) : 1;
  felt_acceleration_ += part * (footing.acceleration - felt_acceleration_);
  felt_lateral_acceleration_ += part * (footing.lateral_acceleration - felt_lateral_acceleration_);
  footing_from_base_ =
      above_ground_.footingFromBase(felt_acceleration_, felt_lateral_acceleration_);
}

EgoState EgoStateCore::baseLinkOver(const EgoState& footing) const {
  EgoState base_link = footing;
  base_link.pose = toEgoPose(mapFromBase(footing.pose) * footing_from_base_, footing.pose.stamp);
  // The vehicle's motion seen along other axes. What base_link sways more, being higher, is left
  // out: it would be the unevenness of the ground rather than a motion.
  const gs::Quat base_from_footing = footing_from_base_.rotation.conjugate();
  const EgoTwist& t = footing.twist;
  const gs::Vec3 v = base_from_footing * gs::Vec3(t.vx, t.vy, t.vz);
  const gs::Vec3 w = base_from_footing * gs::Vec3(t.wx, t.wy, t.wz);
  base_link.twist = {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
  return base_link;
}

void EgoStateCore::settleOnGround(EgoState& footing, double dt) {
  PlanarPose pose = planarPoseOf(footing.pose);
  const auto ground = findFooting(*ground_, vehicle_, pose.x, pose.y, pose.yaw,
                                  dt > 0 ? levelOf(footing.pose) : levelToStandOn(footing.pose));
  is_ground_known_ = ground.has_value();
  if (!ground) return;
  if (dt > 0) {
    // Rates of the Z-Y-X angles; yaw has no part in these two on gentle slopes.
    footing.twist.wx = (ground->roll - pose.roll) / dt;
    footing.twist.wy = (ground->pitch - pose.pitch) / dt;
  }
  pose.z = ground->z;
  pose.roll = ground->roll;
  pose.pitch = ground->pitch;
  footing.pose = egoPoseOf(pose, footing.pose.stamp);
}

// Put somewhere, a vehicle stands on the level nearest to its pose, whose attitude may be anything:
// a first look, which allows for a steep slope, tells the plane.
GroundLevel EgoStateCore::levelToStandOn(const EgoPose& footing) const {
  const double nearest = ground_->nearestGroundHeight(footing.x, footing.y, footing.z);
  const GroundLevel level{.x = footing.x,
                          .y = footing.y,
                          .z = std::isfinite(nearest) ? nearest : footing.z,
                          .step = 2 * GroundLevel::kStep};
  PlanarPose pose = planarPoseOf(footing);
  const auto ground = findFooting(*ground_, vehicle_, pose.x, pose.y, pose.yaw, level);
  if (!ground) return level;
  pose.z = ground->z;
  pose.roll = ground->roll;
  pose.pitch = ground->pitch;
  return levelOf(egoPoseOf(pose, {}));
}

std::optional<double> EgoStateCore::speedLimit() const {
  if (!feature_) return std::nullopt;
  return world_->bundle.drivable.features[*feature_].speed_limit;
}

}  // namespace gs_sim
