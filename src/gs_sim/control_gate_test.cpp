// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/control_gate.hpp"

#include <limits>

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr gs::Duration kTenMs{10'000'000};
constexpr int64_t kSecond = 1'000'000'000;

StepInfo at(double seconds) {
  const int64_t ns = static_cast<int64_t>(seconds * 1e9);
  return {ns / kTenMs.ns, gs::Stamp{ns}, kTenMs, false};
}

EgoState rolling(double speed) {
  EgoState state;
  state.speed = state.twist.vx = speed;
  return state;
}

ControlGate gate(double timeout = 1.0) { return ControlGate(VehicleParameters(), timeout, {}); }

TEST(ControlGate, BeforeTheFirstCommandSpeedAndSteeringStay) {
  EgoState state = rolling(7);
  state.steering_angle = 0.1;
  const DriveDemand demand = gate().demandAt(at(1.0), state);
  EXPECT_EQ(demand.acceleration, 0);
  EXPECT_EQ(demand.steering_angle, 0.1);
}

TEST(ControlGate, BrakesWithThreeWhenNothingCameForLongerThanTheTimeout) {
  EXPECT_FALSE(gate().isTimedOut(at(1.0)));
  EXPECT_TRUE(gate().isTimedOut(at(1.01)));
  EXPECT_EQ(gate().demandAt(at(1.01), rolling(10)).acceleration, -3.0);
  EXPECT_EQ(gate().demandAt(at(1.01), rolling(-2)).acceleration, 3.0);
  EXPECT_NEAR(gate().demandAt(at(1.01), rolling(0.01)).acceleration, -1.0, 1e-12);  // to a halt
}

TEST(ControlGate, ACommandIsHeldUntilTheTimeout) {
  ControlGate held = gate();
  EXPECT_THAT(held.offer({.steering_angle = 0.25, .speed = 5}, at(2.0)).warning, IsEmpty());
  EXPECT_EQ(held.demandAt(at(2.9), rolling(0)).steering_angle, 0.25);
  EXPECT_EQ(held.demandAt(at(2.9), rolling(0)).acceleration, VehicleParameters().max_acceleration);
  EXPECT_TRUE(held.isTimedOut(at(3.01)));
}

TEST(ControlGate, ATimeoutOfZeroNeverStops) { EXPECT_FALSE(gate(0).isTimedOut(at(1e6))); }

TEST(ControlGate, WhatIsNotFiniteIsIgnored) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e300}) {
    for (const ControlInput& command :
         {ControlInput{.steering_angle = bad}, ControlInput{.steering_angle_velocity = bad},
          ControlInput{.speed = bad}, ControlInput{.acceleration = bad}}) {
      ControlGate held = gate();
      held.offer({.speed = 4}, at(0.1));
      const GateVerdict verdict = held.offer(command, at(0.2));
      EXPECT_FALSE(verdict.is_accepted);
      EXPECT_THAT(verdict.warning, HasSubstr("INVALID_CONTROL_INPUT"));
      EXPECT_EQ(held.held()->speed, 4);
      EXPECT_EQ(held.heardAt().ns, kSecond / 10);  // nonsense does not keep the vehicle going
    }
  }
}

TEST(ControlGate, CommandsFromThePastAreIgnored) {
  ControlGate held = gate();
  EXPECT_FALSE(held.offer({.speed = 5, .stamp = {kSecond}}, at(2.5)).is_accepted);
  EXPECT_TRUE(held.offer({.speed = 5, .stamp = {2 * kSecond}}, at(2.5)).is_accepted);
  EXPECT_FALSE(held.offer({.speed = 9, .stamp = {2 * kSecond - 1}}, at(2.5)).is_accepted);
  EXPECT_EQ(held.held()->speed, 5);
  EXPECT_TRUE(held.isTimedOut(at(3.01)));  // counted from its stamp, not from its arrival
}

TEST(ControlGate, CommandsFromTheFutureCountAsNow) {
  ControlGate held = gate();
  const GateVerdict verdict = held.offer({.speed = 5, .stamp = {1'700'000'000 * kSecond}}, at(1));
  EXPECT_TRUE(verdict.is_accepted);
  EXPECT_THAT(verdict.warning, HasSubstr("use_sim_time"));
  EXPECT_TRUE(held.isTimedOut(at(2.01)));
}

TEST(ControlGate, LimitsOfTheVehicleHold) {
  ControlGate held = gate();
  EXPECT_THAT(held.offer({.steering_angle = 0.6, .speed = 5}, at(0)).warning,
              HasSubstr("steering_angle=0.6 exceeds max_steering_angle=0.52"));
  EXPECT_EQ(held.demandAt(at(0), rolling(0)).steering_angle, 0.52);
  EXPECT_EQ(held.demandAt(at(0), rolling(20)).acceleration, -5);  // braking has its own limit
  EXPECT_THAT(held.offer({.speed = 99}, at(0)).warning, HasSubstr("max_speed"));
  EXPECT_EQ(held.demandAt(at(0), rolling(30)).acceleration, 0);
}

TEST(ControlGate, TheCommandMayAskForLessThanTheVehicleCan) {
  ControlGate held = gate();
  held.offer(
      {.steering_angle = 0.5, .steering_angle_velocity = 0.125, .speed = 9, .acceleration = 0.5},
      at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(1)).acceleration, 0.5);
  EXPECT_EQ(held.demandAt(at(0), rolling(1)).steering_rate_limit, 0.125);
}

TEST(ControlGate, NegativeSpeedIsReverseAndZeroKeepsTheGear) {
  ControlGate held = gate();
  held.offer({.speed = -2}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(0)).gear, Gear::Reverse);
  EXPECT_LT(held.demandAt(at(0), rolling(0)).acceleration, 0);
  EgoState reversing = rolling(-2);
  reversing.gear = Gear::Reverse;
  held.offer({.speed = 0}, at(0));
  EXPECT_EQ(held.demandAt(at(0), reversing).gear, Gear::Reverse);
}

TEST(ControlGate, AParkedVehicleIsParkedWhateverTheMode) {
  ControlGate held = gate();
  held.offer({.speed = 0, .gear = Gear::Park}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(3)).gear, Gear::Park);
  EXPECT_LT(held.demandAt(at(0), rolling(3)).acceleration, 0);
  held.offer({.speed = 4, .gear = Gear::Park}, at(0));  // a gear that does not drive
  EXPECT_LT(held.demandAt(at(0), rolling(3)).acceleration, 0);
  held.offer({.speed = 4}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(0)).gear, Gear::Drive);
}

TEST(ControlGate, AnAccelerationIsHeldInTheDirectionOfTheGear) {
  ControlGate held = gate();
  const auto mode = ControlInput::Mode::Acceleration;
  held.offer({.acceleration = 1.5, .mode = mode}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(3)).acceleration, 1.5);
  held.offer({.acceleration = -9, .mode = mode}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(3)).acceleration, -5);
  held.offer({.acceleration = 2, .mode = mode, .gear = Gear::Neutral}, at(0));
  EXPECT_EQ(held.demandAt(at(0), rolling(3)).acceleration, 0);
  held.offer({.acceleration = 2, .mode = mode, .gear = Gear::Park}, at(0));
  EXPECT_LT(held.demandAt(at(0), rolling(3)).acceleration, 0);
}

TEST(ControlGate, WhatIsHeldFitsIntoAMessage) {
  ControlGate held = gate();
  held.offer({.steering_angle = 0.1, .speed = 3.3}, at(0));
  EXPECT_EQ(held.held()->steering_angle, static_cast<double>(0.1f));
  EXPECT_EQ(held.held()->speed, static_cast<double>(3.3f));
}

}  // namespace
}  // namespace gs_sim
