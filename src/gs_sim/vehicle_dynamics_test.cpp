// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/vehicle_dynamics.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs_sim/actuators.hpp"
#include "gs_sim/dynamic_bicycle.hpp"
#include "gs_sim/planar_pose.hpp"

namespace gs_sim {
namespace {

constexpr double kDt = 0.01;
constexpr gs::Duration kTenMs{10'000'000};

VehicleParameters car(DynamicsModel model) {
  VehicleParameters vehicle;
  vehicle.dynamics_model = model;
  return vehicle;
}

EgoState rolling(double speed, double steering = 0) {
  EgoState state;
  state.speed = state.twist.vx = speed;
  state.steering_angle = steering;
  return state;
}

EgoState driven(const VehicleParameters& vehicle, EgoState state, const Actuation& actuation,
                int steps, double dt = kDt) {
  const auto dynamics = createVehicleDynamics(vehicle);
  for (int i = 0; i < steps; ++i) state = dynamics->advance(state, actuation, dt);
  return state;
}

class BothModels : public ::testing::TestWithParam<DynamicsModel> {};
INSTANTIATE_TEST_SUITE_P(VehicleDynamics, BothModels,
                         ::testing::Values(DynamicsModel::KinematicBicycle,
                                           DynamicsModel::DynamicBicycle));

TEST_P(BothModels, StraightAtFiveMetresPerSecondIsFiftyMetresAfterTenSeconds) {
  VehicleParameters vehicle = car(GetParam());
  vehicle.wheelbase = 2.5;
  const EgoState end = driven(vehicle, rolling(5), {}, 1000);
  EXPECT_NEAR(end.pose.x, 50, 1e-9);
  EXPECT_NEAR(end.pose.y, 0, 1e-12);
  EXPECT_NEAR(planarPoseOf(end.pose).yaw, 0, 1e-12);
}

TEST_P(BothModels, AtWalkingPaceTheCircleHasTheRadiusOfTheWheelbaseOverTheTangent) {
  const VehicleParameters vehicle = car(GetParam());
  const double radius = vehicle.wheelbase / std::tan(0.1);
  EgoState state = rolling(0.5, 0.1);
  const auto dynamics = createVehicleDynamics(vehicle);
  state = dynamics->advance(state, {}, kDt);  // the dynamic model finds its slip angle
  const PlanarPose at = planarPoseOf(state.pose);
  const double centre_x = at.x - radius * std::sin(at.yaw);
  const double centre_y = at.y + radius * std::cos(at.yaw);
  for (int i = 0; i < 3000; ++i) {
    state = dynamics->advance(state, {}, kDt);
    ASSERT_NEAR(std::hypot(state.pose.x - centre_x, state.pose.y - centre_y), radius, 1e-3);
  }
  EXPECT_GT(planarPoseOf(state.pose).yaw, 0.1);  // to the left
}

TEST_P(BothModels, ReverseDrivesBackwardsAlongTheSameCircle) {
  const VehicleParameters vehicle = car(GetParam());
  const EgoState there = driven(vehicle, rolling(0.8, 0.2), {}, 300);
  EgoState turned = there;
  turned.speed = turned.twist.vx = -there.speed;
  turned.twist.vy = -turned.twist.vy;
  turned.twist.wz = -turned.twist.wz;
  const EgoState back = driven(vehicle, turned, {}, 300);
  EXPECT_NEAR(back.pose.x, 0, 1e-3);
  EXPECT_NEAR(back.pose.y, 0, 1e-3);
}

TEST_P(BothModels, ASlopeShortensTheWayInThePlane) {
  EgoState state = rolling(10);
  state.pose = egoPoseOf({.pitch = -0.3}, {});
  EXPECT_NEAR(driven(car(GetParam()), state, {}, 100).pose.x, 10 * std::cos(0.3), 1e-9);
}

TEST_P(BothModels, NoSpeedOrSteeringLeavesTheFiniteNumbers) {
  const VehicleParameters vehicle = car(GetParam());
  for (const double speed : {-5.0, -0.01, 0.0, 0.01, 0.99, 1.01, 3.0, 30.0})
    for (const double steering : {-0.52, 0.0, 0.3, 0.52})
      for (const double acceleration : {-5.0, 0.0, 3.0})
        for (const double dt : {1e-4, 0.01, 0.1}) {
          const EgoState end = driven(vehicle, rolling(speed, steering), {0, acceleration}, 20, dt);
          EXPECT_TRUE(std::isfinite(end.pose.x + end.pose.y + end.twist.vx + end.twist.vy +
                                    end.twist.wz + end.pose.qw))
              << speed << " " << steering << " " << acceleration << " " << dt;
          EXPECT_LT(std::abs(end.twist.wz), 20) << speed << " " << steering << " " << dt;
        }
}

TEST(DynamicBicycle, SettlesIntoTheSteadyTurnOfLinearTires) {
  // yaw rate = v steering / (L + K v^2), K = m / L (lr / Cf - lf / Cr)
  VehicleParameters vehicle = car(DynamicsModel::DynamicBicycle);
  vehicle.cg_to_rear_axle = 1.6;
  const double v = 15, steering = 0.02;
  const double lr = 1.6, lf = vehicle.wheelbase - lr;
  const double understeer =
      vehicle.mass / vehicle.wheelbase *
      (lr / vehicle.tire.cornering_stiffness_front - lf / vehicle.tire.cornering_stiffness_rear);
  const EgoState end = driven(vehicle, rolling(v, steering), {}, 1000);
  EXPECT_NEAR(end.twist.wz, v * steering / (vehicle.wheelbase + understeer * v * v), 1e-4);
}

TEST(DynamicBicycle, PassesSmoothlyFromRollingToSlipping) {
  const VehicleParameters vehicle = car(DynamicsModel::DynamicBicycle);
  const auto dynamics = createVehicleDynamics(vehicle);
  EgoState state = rolling(0.1, 0.2);
  state = dynamics->advance(state, {0, 1.0}, kDt);
  for (int i = 0; i < 600; ++i) {
    const EgoState next = dynamics->advance(state, {0, 1.0}, kDt);
    ASSERT_LT(std::abs(next.twist.wz - state.twist.wz), 0.02) << i;
    ASSERT_LT(std::abs(next.twist.vy - state.twist.vy), 0.02) << i;
    state = next;
  }
}

TEST(DynamicBicycle, ALowSpeedTurnIsTheSamePathWhateverTheStep) {
  const VehicleParameters vehicle = car(DynamicsModel::DynamicBicycle);
  for (const double speed : {0.5, 1.1, 1.25, 2.0, 2.9})
    for (const double acceleration : {0.0, -0.3, 0.3}) {
      const auto turn = [&](int steps_per_second) {
        const double dt = 1.0 / steps_per_second;
        const EgoState in =
            driven(vehicle, rolling(speed), {0.3, acceleration}, steps_per_second, dt);
        return driven(vehicle, in, {0, acceleration}, 3 * steps_per_second, dt).pose;
      };
      const EgoPose coarse = turn(100), fine = turn(1000);
      EXPECT_LT(std::hypot(coarse.x - fine.x, coarse.y - fine.y), 2e-4)
          << speed << " m/s, " << acceleration << " m/s^2";
    }
}

TEST(DynamicBicycle, AnOversteeringCarSpinsButStaysFinite) {
  VehicleParameters vehicle = car(DynamicsModel::DynamicBicycle);
  vehicle.tire.cornering_stiffness_rear = 20000;
  const EgoState end = driven(vehicle, rolling(30, 0.3), {}, 3000);
  EXPECT_TRUE(std::isfinite(end.pose.x + end.pose.y + end.twist.wz + end.twist.vy));
}

TEST(WheelSpeeds, TheOuterWheelsOfATurnAreFaster) {
  VehicleParameters vehicle;
  EgoState state = rolling(5, 0.2);
  state.twist.wz = 5 * std::tan(0.2) / vehicle.wheelbase;
  vehicle.wheel_radius = 0.4;
  const auto [front_left, front_right, rear_left, rear_right] = wheelSpeeds(vehicle, state);
  EXPECT_NEAR(rear_right - rear_left, state.twist.wz * vehicle.track_width / 0.4, 1e-12);
  EXPECT_LT(front_left, front_right);
  EXPECT_NEAR((front_left + front_right) / 2, 5 / 0.4 / std::cos(0.2), 1e-9);  // a wider circle
}

TEST(WheelSpeeds, AreTurnsOfTheWheelNotMetres) {
  VehicleParameters vehicle;
  vehicle.wheel_radius = 0.25;
  EXPECT_EQ(wheelSpeeds(vehicle, rolling(5, 0)), (std::array<double, 4>{20, 20, 20, 20}));
}

TEST(Power, AccelerationFallsWithSpeedBeyondThePowerLimit) {
  VehicleParameters vehicle;
  EXPECT_EQ(accelerationLimit(vehicle, 30), vehicle.max_acceleration);
  vehicle.power_limited_above = 10;
  EXPECT_EQ(accelerationLimit(vehicle, 10), 3);
  EXPECT_EQ(accelerationLimit(vehicle, 20), 1.5);
}

TEST(Actuators, WithoutDelayAndLagTheVehicleFollowsWithinItsLimits) {
  const VehicleParameters vehicle;
  Actuators actuators(vehicle, kTenMs);
  const auto result = actuators.apply({0.3, vehicle.max_steering_rate, 2.0, Gear::Drive}, {});
  EXPECT_DOUBLE_EQ(result.actuation.steering_rate, vehicle.max_steering_rate);
  EXPECT_DOUBLE_EQ(result.actuation.acceleration, 2.0);
}

TEST(Actuators, ADelayOfFiveStepsShowsInTheSixth) {
  VehicleParameters vehicle;
  vehicle.actuator.steering_delay = 0.05;
  vehicle.actuator.acceleration_delay = 0.03;
  Actuators actuators(vehicle, kTenMs);
  for (int step = 0; step < 10; ++step) {
    const auto result = actuators.apply({0.1, 0.5, 1.0, Gear::Drive}, {});
    EXPECT_EQ(result.actuation.steering_rate > 0, step >= 5) << step;
    EXPECT_EQ(result.actuation.acceleration > 0, step >= 3) << step;
  }
}

TEST(Actuators, ALagReaches63PercentAfterItsTimeConstant) {
  VehicleParameters vehicle;
  vehicle.actuator.steering_lag = 0.2;
  vehicle.actuator.acceleration_lag = 0.3;
  vehicle.max_steering_rate = 100;
  Actuators actuators(vehicle, kTenMs);
  EgoState state;
  double speed_gained = 0;
  for (int step = 0; step < 30; ++step) {
    const auto result = actuators.apply({0.1, 100, 2.0, Gear::Drive}, state);
    if (step < 20) state.steering_angle += result.actuation.steering_rate * kDt;
    state.speed += result.actuation.acceleration * kDt;
    speed_gained = state.speed;
  }
  EXPECT_NEAR(state.steering_angle, 0.1 * (1 - std::exp(-1)), 1e-9);
  EXPECT_NEAR(speed_gained, 2.0 * (0.3 - 0.3 * (1 - std::exp(-1))), 1e-9);  // the exact integral
}

TEST(Actuators, BrakingEndsAtStandstillWhateverTheGear) {
  const VehicleParameters vehicle;
  for (const Gear gear : {Gear::Park, Gear::Reverse, Gear::Neutral, Gear::Drive}) {
    Actuators actuators(vehicle, kTenMs);
    EXPECT_NEAR(actuators.apply({0, 1, -5, gear}, rolling(0.02)).actuation.acceleration * kDt,
                -0.02, 1e-12);
  }
  Actuators actuators(vehicle, kTenMs);
  EXPECT_EQ(actuators.apply({0, 1, -5, Gear::Drive}, rolling(0)).actuation.acceleration, 0);
  EXPECT_LT(actuators.apply({0, 1, -3, Gear::Reverse}, rolling(0)).actuation.acceleration, 0);
}

}  // namespace
}  // namespace gs_sim
