// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gs_sim/drivable_lookup.hpp"
#include "gs_sim/ground_contact.hpp"
#include "gs_sim/scene_collision.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

// The one place that knows where the ego is, and what that means: on the road or off it, in contact
// with something or not, on known ground or not.
class EgoStateCore {
 public:
  // A mesh that the vehicle is to stand on must be there. `meshes`: of the assets that a scene may
  // have instances of, as SceneCollision wants them.
  EgoStateCore(std::shared_ptr<const WorldData> world, const VehicleParameters& vehicle,
               GroundSource ground = GroundSource::Auto,
               const std::vector<const gs::TriangleMesh*>& meshes = {});

  // Takes over a state of the dynamics: puts it on the ground, judges it. `dt` 0: left there, not
  // driven. A state that is not finite is refused, and the ego stands still where it was.
  bool update(EgoState footing, double dt, const gs::SceneState& scene = gs::backgroundOnly());
  // Puts base_link at x, y and heading of a state, and as the ground below it has it otherwise.
  void place(const EgoState& base_link, const gs::SceneState& scene = gs::backgroundOnly());

  // Of base_link: what sensors see and messages say.
  const EgoState& state() const { return state_; }
  // Of the footing, the frame on the road below base_link (base_link_above_ground.hpp): what
  // drives, collides and leaves the road.
  const EgoState& footing() const { return footing_; }
  // What the next state depends on besides the footing.
  void visitState(const auto& visit) const {
    if (!leans()) return;
    visit(felt_acceleration_);
    visit(felt_lateral_acceleration_);
  }
  bool isOffroad() const { return !feature_; }
  bool isCollision() const { return is_collision_; }
  bool isGroundKnown() const { return is_ground_known_; }
  std::optional<double> speedLimit() const;  // m/s

 private:
  bool leans() const {
    return above_ground_.pitch_per_acceleration != 0 ||
           above_ground_.roll_per_lateral_acceleration != 0;
  }
  void settleOnGround(EgoState& footing, double dt);
  GroundLevel levelToStandOn(const EgoPose& footing) const;
  EgoState baseLinkOver(const EgoState& footing) const;
  void sway(const EgoState& footing, double dt);

  std::shared_ptr<const WorldData> world_;
  const VehicleParameters vehicle_;
  std::unique_ptr<GroundContactInterface> ground_;
  DrivableLookup drivable_;
  SceneCollision collision_;
  const bool is_on_road_;  // base_link and footing are the same, to the bit
  const gs::BaseLinkAboveGround above_ground_;
  // The accelerations that the body has leant into so far: springs take a moment.
  double felt_acceleration_ = 0, felt_lateral_acceleration_ = 0;
  gs::Rigid3 footing_from_base_;
  EgoState footing_, state_;
  std::optional<size_t> feature_;
  bool is_collision_ = false;
  bool is_ground_known_ = true;
};

}  // namespace gs_sim
