// SPDX-License-Identifier: Apache-2.0
// The vehicle models against the derivatives that CommonRoad publishes for its own (KS, ST).
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/file.hpp"
#include "gs_sim/dynamic_bicycle.hpp"
#include "gs_sim/kinematic_bicycle.hpp"
#include "gs_sim/rk4.hpp"
#include "shared_data.hpp"

namespace gs_sim {
namespace {

using nlohmann::json;

class PublishedModels : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto file = gs::testing::sharedData() / "vehicle/commonroad_published.json";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
    data_ = json::parse(gs::readTextFile(file, 1 << 20));
  }

  // Its normalised cornering stiffness is per unit of friction and load: C = mu C_S Fz.
  VehicleParameters vehicle(int number) const {
    const json& p = data_["parameters"][std::to_string(number)];
    const double a = p["a"], b = p["b"], m = p["m"], mu = p["p_dy1"], stiffness = p["p_ky1"];
    VehicleParameters vehicle;
    vehicle.wheelbase = a + b;
    vehicle.cg_to_rear_axle = b;
    vehicle.cg_height = p["h_s"];
    vehicle.mass = m;
    vehicle.inertia_z = p["I_z"];
    vehicle.tire.friction = mu;
    const double per_load = -stiffness / mu;
    vehicle.tire.cornering_stiffness_front = mu * per_load * m * 9.81 * b / (a + b);
    vehicle.tire.cornering_stiffness_rear = mu * per_load * m * 9.81 * a / (a + b);
    vehicle.max_acceleration = p["longitudinal"]["a_max"];
    vehicle.power_limited_above = p["longitudinal"]["v_switch"].get<double>();
    return vehicle;
  }

  static Actuation actuation(const json& u, const VehicleParameters& vehicle, double v) {
    return {u[0].get<double>(), std::min(u[1].get<double>(), accelerationLimit(vehicle, v))};
  }

  json data_;
};

template <size_t N>
std::array<double, N> numbers(const json& list) {
  EXPECT_EQ(list.size(), N);
  std::array<double, N> values{};
  for (size_t i = 0; i < std::min(N, list.size()); ++i) values[i] = list[i];
  return values;
}

TEST_F(PublishedModels, TheKinematicDerivativeIsTheirs) {
  const json& test = data_["published_derivative_tests"]["ks"];
  const VehicleParameters car = vehicle(test["vehicle"]);
  const auto x = numbers<5>(test["x"]);
  const auto expected = numbers<5>(test["f_ground_truth"]);
  const auto actual = kinematicDerivative(x, actuation(test["u"], car, x[3]), car.wheelbase);
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(actual[i], expected[i], 1e-9) << i;
}

TEST_F(PublishedModels, TheDynamicDerivativeIsTheirs) {
  const json& test = data_["published_derivative_tests"]["st"];
  const VehicleParameters car = vehicle(test["vehicle"]);
  const auto x = numbers<7>(test["x"]);
  const auto expected = numbers<7>(test["f_ground_truth"]);
  const auto actual = dynamicDerivative(x, actuation(test["u"], car, x[3]), car);
  for (size_t i = 0; i < 7; ++i) EXPECT_NEAR(actual[i], expected[i], 1e-9) << i;
}

TEST_F(PublishedModels, ASecondOfAcceleratingAndSteeringEndsWhereTheirsEnds) {
  const VehicleParameters car = vehicle(2);
  const json& inputs = data_["published_zero_initial_velocity_inputs"];
  const json& ends = data_["published_zero_initial_velocity_final_states_t=1.0"];
  for (const char* name : {"acc", "left", "dec"}) {
    KinematicState state{};
    for (int i = 0; i < 100; ++i)
      state = rk4(state, 0.01, [&](const KinematicState& at) {
        return kinematicDerivative(
            at, {inputs[name][0].get<double>(), inputs[name][1].get<double>()}, car.wheelbase);
      });
    const auto expected = numbers<5>(ends["x_" + std::string(name) + "_ks_gt"]);
    for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(state[i], expected[i], 1e-6) << name << i;
  }
}

TEST_F(PublishedModels, ATurnAtTwoMetresPerSecondIsTheirsWhateverTheStep) {
  VehicleParameters car = vehicle(2);
  car.dynamics_model = DynamicsModel::DynamicBicycle;
  const auto steeringRateAt = [](double t) { return t < 1 - 1e-9 ? 0.3 : 0.0; };
  constexpr double kSeconds = 5, kSpeed = 2;
  // Their equations, and the rear axle's way from that of their centre of gravity.
  DynamicState theirs{0, 0, 0, kSpeed, 0, 0, 0};
  for (int i = 0; i < kSeconds * 10'000; ++i)
    theirs = rk4(theirs, 1e-4, [&](const DynamicState& at) {
      return dynamicDerivative(at, {steeringRateAt(i * 1e-4), 0}, car);
    });
  const double b = *car.cg_to_rear_axle;
  const double x = theirs[0] - b * (std::cos(theirs[4]) - 1);
  const double y = theirs[1] - b * std::sin(theirs[4]);

  const auto dynamics = createVehicleDynamics(car);
  for (const double dt : {0.02, 0.01, 0.001}) {
    EgoState ours;
    ours.speed = ours.twist.vx = kSpeed;
    for (int i = 0; i < std::lround(kSeconds / dt); ++i)
      ours = dynamics->advance(ours, {steeringRateAt(i * dt), 0}, dt);
    EXPECT_LT(std::hypot(ours.pose.x - x, ours.pose.y - y), 1e-4) << dt;
  }
}

}  // namespace
}  // namespace gs_sim
