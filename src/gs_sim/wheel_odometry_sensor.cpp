// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/wheel_odometry_sensor.hpp"

#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "gs/core/rng.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

constexpr int kDepth = 50;
constexpr double kUnknown = 1e6;         // of what wheels do not tell
constexpr double kLeastVariance = 1e-6;  // filters refuse a covariance of zero

class WheelOdometrySensor final : public Sensor {
 public:
  WheelOdometrySensor(SensorDescription description, const gs::WheelOdometrySpec& spec, gs::Rng rng)
      : Sensor(std::move(description)), spec_(spec), rng_(rng) {}

  SensorResult sample(const SensorStep& step) override {
    const EgoState& ego = step.ego;
    if (!std::isfinite(ego.speed + ego.twist.wz))
      return {nullptr, "the ego's motion is not finite"};
    WheelReading next = before_.value_or(WheelReading{});
    next.stamp = step.info.stamp;
    next.speed = spec_.speed_scale * ego.speed + spec_.speed_noise_std * rng_.normal();
    next.yaw_rate = ego.twist.wz + spec_.yaw_rate_bias + spec_.yaw_rate_noise_std * rng_.normal();
    for (size_t wheel = 0; wheel < ego.wheel_speeds.size(); ++wheel)
      next.wheel_rates[wheel] = spec_.speed_scale * ego.wheel_speeds[wheel];
    if (before_) goOn(*before_, next);
    before_ = next;
    return {toSensorData(next), ""};
  }

  void restart() override { before_.reset(); }

 private:
  // Along the arc between the two measurements.
  static void goOn(const WheelReading& before, WheelReading& next) {
    const double seconds = gs::toSeconds(next.stamp - before.stamp);
    const double way = seconds * (before.speed + next.speed) / 2;
    const double turn = seconds * (before.yaw_rate + next.yaw_rate) / 2;
    next.x += way * std::cos(before.yaw + turn / 2);
    next.y += way * std::sin(before.yaw + turn / 2);
    next.yaw = std::remainder(before.yaw + turn, 2 * M_PI);
    for (size_t wheel = 0; wheel < next.wheel_angles.size(); ++wheel)
      next.wheel_angles[wheel] +=
          seconds * (before.wheel_rates[wheel] + next.wheel_rates[wheel]) / 2;
  }

  gs::WheelOdometrySpec spec_;
  gs::Rng rng_;
  std::optional<WheelReading> before_;
};

msgs::Header headerOf(const WheelReading& reading, const std::string& frame) {
  const auto [sec, nanosec] = gs::toSecNanosec(reading.stamp);
  return {.stamp = {sec, nanosec}, .frame_id = frame};
}

msgs::JointState jointState(const WheelReading& reading, const std::string& base_link) {
  const auto& [angles, rates] = std::tie(reading.wheel_angles, reading.wheel_rates);
  return {.header = headerOf(reading, base_link),
          .name = {"wheel_front_left", "wheel_front_right", "wheel_rear_left", "wheel_rear_right"},
          .position = {angles.begin(), angles.end()},
          .velocity = {rates.begin(), rates.end()}};
}

std::array<double, 36> diagonal(const std::array<double, 6>& variances) {
  std::array<double, 36> covariance{};
  for (size_t i = 0; i < 6; ++i) covariance[7 * i] = variances[i];
  return covariance;
}

msgs::Odometry odometry(const WheelReading& reading, const gs::WheelOdometryCalibration& wheels,
                        const std::string& base_link) {
  const auto variance = [](double deviation) { return deviation * deviation + kLeastVariance; };
  msgs::Odometry message;
  message.header = headerOf(reading, wheels.frame_id);
  message.child_frame_id = base_link;
  message.pose.pose.position = {reading.x, reading.y, 0};
  message.pose.pose.orientation = {0, 0, std::sin(reading.yaw / 2), std::cos(reading.yaw / 2)};
  // How far it has drifted it cannot know.
  message.pose.covariance = diagonal({kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kUnknown});
  message.twist.twist.linear.x = reading.speed;
  message.twist.twist.angular.z = reading.yaw_rate;
  message.twist.covariance =
      diagonal({variance(wheels.spec.speed_noise_std), kUnknown, kUnknown, kUnknown, kUnknown,
                variance(wheels.spec.yaw_rate_noise_std)});
  return message;
}

CreatedSensors createWheels(const SensorContext& context) {
  CreatedSensors created;
  for (const std::string& id : context.ids) {
    const gs::WheelOdometryCalibration& wheels =
        context.world.bundle.calibration.wheel_odometry.at(id);
    const std::string name = "/wheel_odometry/" + id, base_link = context.frames.base_link;
    std::vector<SensorTopic> topics = {
        smallTopic<msgs::JointState, WheelReading>(
            name + "/joint_states", kDepth,
            [base_link](const WheelReading& reading) { return jointState(reading, base_link); }),
        smallTopic<msgs::Odometry, WheelReading>(name + "/odom", kDepth,
                                                 [wheels, base_link](const WheelReading& reading) {
                                                   return odometry(reading, wheels, base_link);
                                                 })};
    created.sensors.push_back(std::make_unique<WheelOdometrySensor>(
        SensorDescription{.kind = "wheel_odometry",
                          .id = id,
                          .frame_id = wheels.frame_id,
                          .rate_hz = context.rateOf(wheels.rate_hz),
                          .topics = std::move(topics),
                          .component = "WheelOdometry"},
        wheels.spec, context.randomNumbersOf("wheel_odometry", id)));
  }
  return created;
}

}  // namespace

SensorKind wheelOdometryKind() {
  return {.name = "wheel_odometry",
          .ids = [](const gs::Calibration& all) { return keysOf(all.wheel_odometry); },
          .create = createWheels};
}

}  // namespace gs_sim
