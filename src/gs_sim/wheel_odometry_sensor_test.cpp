// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/wheel_odometry_sensor.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

// Ten seconds of a left curve, and what the wheels made of it.
struct Drive {
  EgoState first, last;
  WheelReading reading;
  std::vector<SensorTopic> topics;
};

Drive drive(const gs::WheelOdometrySpec& spec) {
  auto world = std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
  world->bundle.calibration.wheel_odometry["main"] = {.frame_id = "wheel_odom", .spec = spec};
  SimulationParameters parameters;
  for (const NamedChoice& named : choicesIn(parameters.sensors))
    named.choice.enable = named.kind == "wheel_odometry";
  parameters.simulation.initial_velocity = 5;
  parameters.vehicle.wheel_radius = 0.3;
  Simulator simulator(world, parameters, createSensors(*world, parameters).sensors);
  Drive result;
  result.topics = simulator.sensors().at(0).topics;
  for (int step = 0; step <= 1000; ++step) {
    const StepOutput output = simulator.step(ControlInput{.steering_angle = 0.1, .speed = 5});
    if (step == 0) result.first = output.ego;
    for (const auto* reading : valuesOf<WheelReading>(output)) result.reading = *reading;
    result.last = output.ego;
  }
  return result;
}

TEST(WheelOdometrySensor, WithoutErrorsItEndsWhereTheVehicleDoes) {
  const Drive result = drive({});
  const gs::Rigid3 first_from_last =
      mapFromBase(result.first.pose).inverse() * mapFromBase(result.last.pose);
  EXPECT_NEAR(result.reading.x, first_from_last.translation.x(), 0.05);
  EXPECT_NEAR(result.reading.y, first_from_last.translation.y(), 0.05);
  EXPECT_NEAR(std::remainder(result.reading.yaw - planarPoseOf(result.last.pose).yaw, 6.283185307),
              0, 0.01);
  EXPECT_GT(std::abs(result.reading.yaw), 0.5);
}

TEST(WheelOdometrySensor, DriftsByItsScaleAndItsGyroscope) {
  const Drive exact = drive({}), drifting = drive({.speed_scale = 1.02, .yaw_rate_bias = 0.01});
  EXPECT_NEAR(drifting.reading.yaw - exact.reading.yaw, 0.1, 0.002);
  EXPECT_NEAR(drifting.reading.speed, 1.02 * exact.reading.speed, 1e-9);
  const double apart =
      std::hypot(drifting.reading.x - exact.reading.x, drifting.reading.y - exact.reading.y);
  EXPECT_GT(apart, 0.5);
}

TEST(WheelOdometrySensor, WheelsTurnInRadiansPerSecondTheOuterOnesFaster) {
  const WheelReading reading = drive({}).reading;
  const auto& rates = reading.wheel_rates;
  EXPECT_NEAR((rates[2] + rates[3]) / 2, 5 / 0.3, 0.01) << "the middle of the rear axle";
  EXPECT_LT(rates[2], rates[3]) << "a left curve";
  EXPECT_NEAR((reading.wheel_angles[2] + reading.wheel_angles[3]) / 2, 50 / 0.3, 1);
}

TEST(WheelOdometrySensor, PublishesJointsAndOdometry) {
  const Drive result = drive({.speed_noise_std = 0.1});
  ASSERT_EQ(result.topics.size(), 2u);
  EXPECT_EQ(result.topics[0].name, "/wheel_odometry/main/joint_states");
  EXPECT_EQ(result.topics[1].name, "/wheel_odometry/main/odom");
  const auto data = toSensorData(result.reading);
  std::vector<std::byte> bytes;
  result.topics[0].encode(*data, bytes);
  const auto joints = gs::decodeCdr<gs::msgs::JointState>(bytes, "joints");
  EXPECT_THAT(joints.name, testing::ElementsAre("wheel_front_left", "wheel_front_right",
                                                "wheel_rear_left", "wheel_rear_right"));
  EXPECT_EQ(joints.velocity.at(3), result.reading.wheel_rates[3]);
  bytes.clear();
  result.topics[1].encode(*data, bytes);
  const auto odometry = gs::decodeCdr<gs::msgs::Odometry>(bytes, "odom");
  EXPECT_EQ(odometry.header.frame_id, "wheel_odom");
  EXPECT_EQ(odometry.child_frame_id, "base_link");
  EXPECT_EQ(odometry.pose.pose.position.x, result.reading.x);
  EXPECT_NEAR(odometry.twist.covariance[0], 0.01, 1e-5);
}

}  // namespace
}  // namespace gs_sim
