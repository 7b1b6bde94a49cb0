// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/imu_sensor.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

using gs::Vec3;

constexpr double kDegree = std::numbers::pi / 180;

// Off the axle and turned, as in real cars.
gs::ImuCalibration turnedImu(const gs::ImuSpec& spec = {}) {
  const gs::Quat turned = Eigen::AngleAxisd(0.3, Vec3::UnitZ()) *
                          Eigen::AngleAxisd(-0.1, Vec3::UnitY()) *
                          Eigen::AngleAxisd(3.0, Vec3::UnitX());
  return {.frame_id = "imu_link",
          .extrinsics = {.translation = {1.2, -0.4, 0.6},
                         .rotation_quat = {turned.x(), turned.y(), turned.z(), turned.w()}},
          .spec = spec};
}

std::shared_ptr<WorldData> worldWith(const gs::ImuCalibration& imu) {
  auto world = std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
  world->bundle.calibration.imus["main"] = imu;
  // A ground that rises and falls, so that roll and pitch have their part.
  gs::Heightmap& ground = world->bundle.heightmap;
  for (int j = 0; j < ground.height; ++j)
    for (int i = 0; i < ground.width; ++i)
      ground.samples[static_cast<size_t>(j * ground.width + i)] =
          static_cast<float>(0.8 * std::sin(0.12 * i) * std::cos(0.09 * j));
  return world;
}

SimulationParameters onlyImu() {
  SimulationParameters parameters;
  for (const NamedChoice& named : choicesIn(parameters.sensors))
    named.choice.enable = named.kind == "imu";
  return parameters;
}

std::unique_ptr<Sensor> imuOf(const WorldData& world, uint64_t seed = 1) {
  SimulationParameters parameters = onlyImu();
  parameters.sensors.seed = seed;
  return std::move(createSensors(world, parameters).sensors.at(0));
}

gs::Quat turnBy(const Vec3& turn) {
  const double angle = turn.norm();
  return gs::Quat(Eigen::AngleAxisd(angle, angle > 0 ? Vec3(turn / angle) : Vec3::UnitZ()));
}

TEST(ImuSensor, IntegratedOverAMinuteGivesTheDrivenPathBack) {
  const auto world = worldWith(turnedImu());
  SimulationParameters parameters = onlyImu();
  parameters.simulation.initial_velocity = 0;
  Simulator simulator(world, parameters, createSensors(*world, parameters).sensors);
  const gs::Rigid3 base_from_imu = turnedImu().extrinsics.baseFromSensor();

  // Strapdown: attitude from rates, velocity and place from what is felt, in the attitude halfway.
  gs::Rigid3 map_from_imu;
  Vec3 velocity = Vec3::Zero();
  double worst_place = 0, worst_turn = 0, driven = 0;
  EgoPose last;
  for (int step = 0; step <= 6000; ++step) {
    const double t = 0.01 * step;
    const ControlInput control{.steering_angle = 0.3 * std::sin(0.5 * t),
                               .speed = 4 + 3 * std::sin(0.2 * t)};
    const StepOutput output = simulator.step(control);
    const gs::Rigid3 truth = mapFromBase(output.ego.pose) * base_from_imu;
    const auto* sample = findValue<ImuSample>(output.readings.at(0).data.get());
    ASSERT_NE(sample, nullptr);
    if (step == 0) {
      map_from_imu = truth;
      last = output.ego.pose;
      continue;
    }
    const Vec3 turn = 0.01 * sample->angular_velocity;
    const gs::Quat halfway = map_from_imu.rotation * turnBy(turn / 2);
    velocity += 0.01 * (halfway * sample->specific_force - Vec3(0, 0, kStandardGravity));
    map_from_imu.translation += 0.01 * velocity;
    map_from_imu.rotation = (map_from_imu.rotation * turnBy(turn)).normalized();
    worst_place = std::max(worst_place, (map_from_imu.translation - truth.translation).norm());
    worst_turn = std::max(worst_turn, map_from_imu.rotation.angularDistance(truth.rotation));
    driven += std::hypot(output.ego.pose.x - last.x, output.ego.pose.y - last.y);
    last = output.ego.pose;
  }
  EXPECT_GT(driven, 200);
  EXPECT_LT(worst_place, 0.1);
  EXPECT_LT(worst_turn, 0.05 * kDegree);
  RecordProperty("worst_place_mm", static_cast<int>(1000 * worst_place));
}

TEST(ImuSensor, FeelsGravityAtRestAndTheLeverArmInACurve) {
  auto world = std::make_shared<WorldData>(WorldData{"flat", gs::makeMinimalBundle(), {}});
  world->bundle.calibration.imus["main"] = {.frame_id = "imu",
                                            .extrinsics = {.translation = {2, 0, 1}}};
  const std::unique_ptr<Sensor> imu = imuOf(*world);
  EgoState ego;
  ego.pose.x = 10;
  const auto sampleAt = [&](int64_t step) {
    const StepInfo info{.step = step, .stamp = {10'000'000 * step}, .dt = {10'000'000}};
    const SensorResult result = imu->sample({info, ego, {}});
    EXPECT_EQ(result.problem, "");
    return *findValue<ImuSample>(result.data.get());
  };
  for (int64_t step = 0; step < 3; ++step) {
    const ImuSample still = sampleAt(step);
    EXPECT_NEAR(still.specific_force.z(), kStandardGravity, 1e-9);
    EXPECT_NEAR(still.specific_force.head<2>().norm() + still.angular_velocity.norm(), 0, 1e-9);
  }
  // Turning on the spot at 1 rad/s: 2 m from the axle pull 2 m/s^2 backwards, to the axle.
  imu->restart();
  ImuSample turning;
  for (int64_t step = 0; step < 50; ++step) {
    const double yaw = 0.01 * static_cast<double>(step);
    ego.pose.qz = std::sin(yaw / 2);
    ego.pose.qw = std::cos(yaw / 2);
    ego.twist.wz = 1;
    turning = sampleAt(step);
  }
  EXPECT_NEAR(turning.angular_velocity.z(), 1, 1e-9);
  EXPECT_NEAR(turning.specific_force.x(), -2, 0.01);
  EXPECT_NEAR(turning.specific_force.y(), 0, 0.02);
}

// The overlapping Allan deviation of rates sampled every `dt`, over clusters of `m`.
double allanDeviation(const std::vector<double>& rates, double dt, size_t m) {
  std::vector<double> sums(rates.size() + 1);
  for (size_t i = 0; i < rates.size(); ++i) sums[i + 1] = sums[i] + rates[i] * dt;
  const double tau = static_cast<double>(m) * dt;
  double square = 0;
  size_t count = 0;
  for (size_t i = 0; i + 2 * m < sums.size(); ++i, ++count) {
    const double d = sums[i + 2 * m] - 2 * sums[i + m] + sums[i];
    square += d * d;
  }
  return std::sqrt(square / (2 * tau * tau * static_cast<double>(count)));
}

// Of all axes and both sensors together, as shares of what was configured.
double meanShare(const gs::ImuSpec& spec, size_t m, const std::function<double(double)>& expected,
                 double gyro, double accel) {
  const auto world = worldWith(turnedImu(spec));
  const std::unique_ptr<Sensor> imu = imuOf(*world, 11);
  const std::unique_ptr<Sensor> ideal = imuOf(*worldWith(turnedImu()));
  EgoState ego;
  std::array<std::vector<double>, 6> axes;
  for (int64_t step = 0; step < 60'000; ++step) {  // ten minutes
    const StepInfo info{.step = step, .stamp = {10'000'000 * step}, .dt = {10'000'000}};
    const SensorResult noisy = imu->sample({info, ego, {}}), exact = ideal->sample({info, ego, {}});
    const auto* a = findValue<ImuSample>(noisy.data.get());
    const auto* b = findValue<ImuSample>(exact.data.get());
    for (int k = 0; k < 3; ++k) {
      axes[k].push_back(a->angular_velocity[k] - b->angular_velocity[k]);
      axes[3 + k].push_back(a->specific_force[k] - b->specific_force[k]);
    }
  }
  const double tau = 0.01 * static_cast<double>(m);
  double sum = 0;
  for (int k = 0; k < 6; ++k)
    sum += allanDeviation(axes[k], 0.01, m) / (expected(tau) * (k < 3 ? gyro : accel)) / 6;
  return sum;
}

TEST(ImuSensor, TheAllanDeviationOfTenMinutesIsTheConfiguredOne) {
  const gs::ImuSpec white{.gyro_noise_density = 2e-4, .accel_noise_density = 3e-3};
  for (const size_t m : {10, 100, 400})
    EXPECT_NEAR(meanShare(
                    white, m, [](double tau) { return 1 / std::sqrt(tau); }, 2e-4, 3e-3),
                1, 0.1)
        << m;
  const gs::ImuSpec walk{.gyro_random_walk = 1e-5, .accel_random_walk = 4e-4};
  for (const size_t m : {100, 400})
    EXPECT_NEAR(meanShare(
                    walk, m, [](double tau) { return std::sqrt(tau / 3); }, 1e-5, 4e-4),
                1, 0.1)
        << m;
}

TEST(ImuSensor, HasItsOwnRandomNumbersFromTheSeed) {
  const gs::ImuSpec spec{.gyro_noise_density = 1e-3};
  auto world = worldWith(turnedImu(spec));
  world->bundle.calibration.imus["other"] = world->bundle.calibration.imus.at("main");
  const auto first = [&](uint64_t seed, size_t sensor) {
    SimulationParameters parameters = onlyImu();
    parameters.sensors.seed = seed;
    const StepInfo info;
    const auto sensors = createSensors(*world, parameters).sensors;
    const SensorResult result = sensors.at(sensor)->sample({info, {}, {}});
    return findValue<ImuSample>(result.data.get())->angular_velocity;
  };
  EXPECT_EQ(first(1, 0), first(1, 0));
  EXPECT_NE(first(1, 0), first(2, 0));
  EXPECT_NE(first(1, 0), first(1, 1));
}

TEST(ImuSensor, PublishesWithoutAttitudeAndWithItsVariances) {
  const auto world = worldWith(turnedImu({.gyro_noise_density = 0.01}));
  const std::unique_ptr<Sensor> imu = imuOf(*world);
  const SensorDescription& description = imu->description();
  EXPECT_EQ(description.rate_hz, 100);
  ASSERT_EQ(description.topics.size(), 1u);
  EXPECT_EQ(description.topics[0].name, "/imu/main/data");
  const StepInfo info{.stamp = {3'000'000'005}};
  const SensorResult result = imu->sample({info, {}, {}});
  std::vector<std::byte> bytes;
  description.topics[0].encode(*result.data, bytes);
  const auto message = gs::decodeCdr<gs::msgs::Imu>(bytes, "imu");
  EXPECT_EQ(message.header.frame_id, "imu_link");
  EXPECT_EQ(message.header.stamp, (gs::msgs::Time{3, 5}));
  EXPECT_EQ(message.orientation_covariance[0], -1);
  EXPECT_NEAR(message.angular_velocity_covariance[4], 0.01, 1e-12);
}

TEST(ImuSensor, SaysNothingOfAPoseThatIsNotFinite) {
  const std::unique_ptr<Sensor> imu = imuOf(*worldWith(turnedImu()));
  EgoState nowhere;
  nowhere.pose.z = std::numeric_limits<double>::quiet_NaN();
  const StepInfo info;
  const SensorResult result = imu->sample({info, nowhere, {}});
  EXPECT_EQ(result.data, nullptr);
  EXPECT_THAT(result.problem, testing::HasSubstr("not finite"));
}

}  // namespace
}  // namespace gs_sim
