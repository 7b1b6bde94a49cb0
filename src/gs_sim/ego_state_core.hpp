// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gs_sim/collision.hpp"
#include "gs_sim/drivable_lookup.hpp"
#include "gs_sim/ground_contact.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

// The one place that knows where the ego is, and what that means: on the road or off it, in contact
// with something or not, on known ground or not.
class EgoStateCore {
 public:
  EgoStateCore(std::shared_ptr<const WorldData> world, const VehicleParameters& vehicle);

  // Takes over a state of the dynamics: puts it on the ground, judges it. `dt` 0: placed there, not
  // driven. A state that is not finite is refused, and the ego stands still where it was.
  bool update(EgoState state, double dt);

  const EgoState& state() const { return state_; }
  bool isOffroad() const { return !feature_; }
  bool isCollision() const { return is_collision_; }
  bool isGroundKnown() const { return is_ground_known_; }
  std::optional<double> speedLimit() const;  // m/s

 private:
  void settleOnGround(EgoState& state, double dt);

  std::shared_ptr<const WorldData> world_;
  const VehicleParameters vehicle_;
  std::unique_ptr<GroundContactInterface> ground_;
  DrivableLookup drivable_;
  std::unique_ptr<CollisionInterface> collision_;
  EgoState state_;
  std::optional<size_t> feature_;
  bool is_collision_ = false;
  bool is_ground_known_ = true;
};

}  // namespace gs_sim
