// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/dynamic_bicycle.hpp"

#include <algorithm>
#include <cmath>

#include "gs_sim/planar_pose.hpp"
#include "gs_sim/rk4.hpp"

namespace gs_sim {
namespace {

constexpr double kGravity = 9.81;
constexpr double kMaxSlip =
    1.2;  // rad; beyond it a car is spinning, which linear tires do not know

double rearLength(const VehicleParameters& vehicle) {
  return vehicle.cg_to_rear_axle.value_or(vehicle.wheelbase / 2);
}

// How fast a car that slows down comes to roll without slip.
constexpr double kRollingRate = 20;  // 1/s

// What the tires of one axle give, saturated where they begin to slide.
double sideForce(double stiffness, double slip, double load, double load_at_rest, double friction) {
  const double most = friction * load;
  return std::clamp(stiffness * (load / load_at_rest) * slip, -most, most);
}

// 0 where the kinematic model rules, 1 where the dynamic one does; smooth between.
double dynamicShare(double v) {
  const double t = std::clamp((v - kKinematicBelow) / (kDynamicAbove - kKinematicBelow), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

class DynamicBicycle final : public VehicleDynamicsInterface {
 public:
  explicit DynamicBicycle(const VehicleParameters& vehicle)
      : vehicle_(vehicle), rear_length_(rearLength(vehicle)) {}

  EgoState advance(const EgoState& state, const Actuation& actuation, double dt) const override {
    const PlanarPose from = planarPoseOf(state.pose);
    DynamicState at = atCentreOfGravity(state, from.yaw);
    if (at[3] <=
        kKinematicBelow) {  // whatever the state says: a car at rest that turned its wheels
      const Rolling rolling = rollingAt(at[3], at[2]);
      at[5] = rolling.yaw_rate;
      at[6] = rolling.slip;
    }
    const int count = substepsFor(at[3], dt);
    for (int i = 0; i < count; ++i) at = substep(at, actuation, dt / count);

    EgoState next = state;
    const double dx = at[0] - rear_length_ * (std::cos(at[4]) - std::cos(from.yaw));
    const double dy = at[1] - rear_length_ * (std::sin(at[4]) - std::sin(from.yaw));
    next.pose = moved(state.pose, from, dx, dy, at[4]);
    next.steering_angle = at[2];
    next.twist = {.vx = at[3] * std::cos(at[6]),
                  .vy = at[3] * std::sin(at[6]) - rear_length_ * at[5],
                  .wz = at[5]};
    next.speed = next.twist.vx;
    return next;
  }

 private:
  // Position relative to the centre of gravity at the start of the step.
  DynamicState atCentreOfGravity(const EgoState& state, double yaw) const {
    const double vy = state.twist.vy + rear_length_ * state.twist.wz;
    const double v = std::copysign(std::hypot(state.speed, vy), state.speed);
    const double beta = v == 0 ? 0 : std::atan2(vy, std::abs(state.speed)) * (v < 0 ? -1 : 1);
    return {0, 0, state.steering_angle, v, yaw, state.twist.wz, beta};
  }

  // The fastest motion of the model decays with about (Cf + Cr) / (m v); Runge and Kutta's step
  // stays far from its limit of stability (2.8) when it is cut to follow.
  int substepsFor(double v, double dt) const {
    const double stiffness =
        vehicle_.tire.cornering_stiffness_front + vehicle_.tire.cornering_stiffness_rear;
    const double lever = std::max(rear_length_, vehicle_.wheelbase - rear_length_);
    const double slowest = std::max(v, kKinematicBelow);
    const double rate =
        stiffness / slowest * std::max(1 / vehicle_.mass, lever * lever / vehicle_.inertia_z);
    return static_cast<int>(std::clamp(std::ceil(dt * std::max(rate, kRollingRate)), 1.0, 1000.0));
  }

  DynamicState substep(const DynamicState& at, const Actuation& actuation, double h) const {
    DynamicState next =
        rk4(at, h, [&](const DynamicState& state) { return derivative(state, actuation); });
    next[6] = std::clamp(next[6], -kMaxSlip, kMaxSlip);
    return next;
  }

  // The share is one of this very state: a mixture of states after each step would draw the car to
  // rolling once per step, and so the more often the shorter the steps are.
  DynamicState derivative(const DynamicState& state, const Actuation& actuation) const {
    const double share = dynamicShare(state[3]);
    if (share == 1) return dynamicDerivative(state, actuation, vehicle_);
    DynamicState slope = rollingDerivative(state, actuation);
    if (share == 0) return slope;
    const DynamicState tires = dynamicDerivative(state, actuation, vehicle_);
    for (const size_t i : {5, 6}) slope[i] = share * tires[i] + (1 - share) * slope[i];
    return slope;
  }

  struct Rolling {
    double yaw_rate, slip;
  };
  Rolling rollingAt(double v, double steering) const {
    const double slip = std::atan(rear_length_ * std::tan(steering) / vehicle_.wheelbase);
    return {v * std::cos(slip) * std::tan(steering) / vehicle_.wheelbase, slip};
  }

  // Yaw rate and slip change as those of rolling without slip do, and approach them.
  DynamicState rollingDerivative(const DynamicState& state, const Actuation& actuation) const {
    const auto& [x, y, steering, v, yaw, yaw_rate, beta] = state;
    const Rolling rolling = rollingAt(v, steering);
    const double tangent = std::tan(steering), l = vehicle_.wheelbase;
    const double tangent_rate = (1 + tangent * tangent) * actuation.steering_rate;
    const double c = std::cos(rolling.slip), s = std::sin(rolling.slip);
    const double slip_rate = rear_length_ / l * tangent_rate * c * c;
    const double yaw_acceleration = (actuation.acceleration * c * tangent -
                                     v * s * slip_rate * tangent + v * c * tangent_rate) /
                                    l;
    return {v * std::cos(beta + yaw),
            v * std::sin(beta + yaw),
            actuation.steering_rate,
            actuation.acceleration,
            yaw_rate,
            yaw_acceleration + kRollingRate * (rolling.yaw_rate - yaw_rate),
            slip_rate + kRollingRate * (rolling.slip - beta)};
  }

  const VehicleParameters vehicle_;
  const double rear_length_;
};

}  // namespace

DynamicState dynamicDerivative(const DynamicState& state, const Actuation& actuation,
                               const VehicleParameters& vehicle) {
  const auto& [x, y, steering, v_any, yaw, yaw_rate, beta] = state;
  const double v = std::max(v_any, kKinematicBelow / 2);  // inside a step that brakes to a halt
  const double l = vehicle.wheelbase, lr = rearLength(vehicle), lf = l - lr, m = vehicle.mass;
  const double shift = m * actuation.acceleration * vehicle.cg_height / l;
  const double front_at_rest = m * kGravity * lr / l, rear_at_rest = m * kGravity * lf / l;
  const double front_load = std::max(front_at_rest - shift, 0.0);
  const double rear_load = std::max(rear_at_rest + shift, 0.0);
  const auto& tire = vehicle.tire;
  const double ff = sideForce(tire.cornering_stiffness_front, steering - beta - lf * yaw_rate / v,
                              front_load, front_at_rest, tire.friction);
  const double fr = sideForce(tire.cornering_stiffness_rear, -beta + lr * yaw_rate / v, rear_load,
                              rear_at_rest, tire.friction);
  return {v_any * std::cos(beta + yaw),
          v_any * std::sin(beta + yaw),
          actuation.steering_rate,
          actuation.acceleration,
          yaw_rate,
          (lf * ff - lr * fr) / vehicle.inertia_z,
          (ff + fr) / (m * v) - yaw_rate};
}

std::unique_ptr<VehicleDynamicsInterface> createDynamicBicycle(const VehicleParameters& vehicle) {
  return std::make_unique<DynamicBicycle>(vehicle);
}

}  // namespace gs_sim
