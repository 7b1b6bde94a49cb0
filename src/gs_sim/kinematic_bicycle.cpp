// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/kinematic_bicycle.hpp"

#include <cmath>

#include "gs_sim/planar_pose.hpp"
#include "gs_sim/rk4.hpp"

namespace gs_sim {
namespace {

class KinematicBicycle final : public VehicleDynamicsInterface {
 public:
  explicit KinematicBicycle(const VehicleParameters& vehicle) : wheelbase_(vehicle.wheelbase) {}

  EgoState advance(const EgoState& state, const Actuation& actuation, double dt) const override {
    const PlanarPose from = planarPoseOf(state.pose);
    // Relative to where it is: far from the map's origin the small motion keeps its digits.
    const KinematicState start = {0, 0, state.steering_angle, state.speed, from.yaw};
    const KinematicState end = rk4(start, dt, [&](const KinematicState& at) {
      return kinematicDerivative(at, actuation, wheelbase_);
    });
    EgoState next = state;
    next.pose = moved(state.pose, from, end[0], end[1], end[4]);
    next.steering_angle = end[2];
    next.speed = end[3];
    next.twist = {.vx = end[3], .wz = end[3] * std::tan(end[2]) / wheelbase_};
    return next;
  }

 private:
  const double wheelbase_;
};

}  // namespace

KinematicState kinematicDerivative(const KinematicState& state, const Actuation& actuation,
                                   double wheelbase) {
  const auto& [x, y, steering, v, yaw] = state;
  return {v * std::cos(yaw), v * std::sin(yaw), actuation.steering_rate, actuation.acceleration,
          v * std::tan(steering) / wheelbase};
}

std::unique_ptr<VehicleDynamicsInterface> createKinematicBicycle(const VehicleParameters& vehicle) {
  return std::make_unique<KinematicBicycle>(vehicle);
}

}  // namespace gs_sim
