// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulator.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/bundle/write_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<WorldData> minimalWorld() {
  return std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
}

SimulationParameters parametersAt(double speed) {
  SimulationParameters parameters;
  parameters.simulation.initial_velocity = speed;
  return parameters;
}

StepOutput afterSteps(Simulator& simulator, int count,
                      const std::optional<ControlInput>& control = std::nullopt) {
  StepOutput output;
  for (int i = 0; i < count; ++i) output = simulator.step(control);
  return output;
}

TEST(Simulator, TheFirstStepShowsTheInitialStateAtTheStartTime) {
  auto world = minimalWorld();
  world->bundle.timebase.simulation.start_time = 100.5;
  Simulator simulator(world, parametersAt(5));
  const StepOutput first = simulator.step();
  EXPECT_EQ(first.info.step, 0);
  EXPECT_EQ(first.info.stamp.ns, 100'500'000'000);
  EXPECT_EQ(first.ego.pose.x, 10);
  EXPECT_EQ(first.ego.speed, 5);
  const StepOutput second = simulator.step();
  EXPECT_EQ(second.info.stamp.ns, 100'510'000'000);
  EXPECT_EQ(second.ego.pose.stamp, second.info.stamp);
  EXPECT_NEAR(second.ego.pose.x, 10.05, 1e-12);
}

TEST(Simulator, StraightAtFiveMetresPerSecondIsFiftyMetresAfterTenSeconds) {
  SimulationParameters parameters = parametersAt(5);
  parameters.vehicle.wheelbase = 2.5;
  Simulator simulator(minimalWorld(), parameters);
  const StepOutput end = afterSteps(simulator, 1001, ControlInput{.speed = 5});
  EXPECT_EQ(gs::toSeconds(end.info.stamp), 10);
  EXPECT_NEAR(end.ego.pose.x - 10, 50, 0.1);
  EXPECT_NEAR(end.ego.pose.y, 0, 0.01);
  EXPECT_NEAR(planarPoseOf(end.ego.pose).yaw, 0, 0.001);
}

TEST(Simulator, TenMetresPerSecondWithoutCommandsIsEightAndAHalfAfterOneAndAHalfSeconds) {
  Simulator simulator(minimalWorld(), parametersAt(10));
  EXPECT_NEAR(afterSteps(simulator, 101).ego.speed, 10, 1e-9);
  const StepOutput output = afterSteps(simulator, 50);
  EXPECT_EQ(gs::toSeconds(output.info.stamp), 1.5);
  EXPECT_NEAR(output.ego.speed, 8.5, 1e-9);
  EXPECT_TRUE(output.is_emergency_stop);
  EXPECT_EQ(afterSteps(simulator, 500).ego.speed, 0);
}

TEST(Simulator, AnEmptyDrivableAreaIsAlwaysOffTheRoad) {
  auto world = minimalWorld();
  world->bundle.drivable = {};
  Simulator simulator(world, {});
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(simulator.step().is_offroad);
}

TEST(Simulator, LeavingThePolygonIsOffroadAndSaidOnce) {
  SimulationParameters parameters = parametersAt(10);
  parameters.simulation.initial_pose = LoopParameters::InitialPose{.x = 95};
  Simulator simulator(minimalWorld(), parameters);
  int said = 0;
  for (int i = 0; i < 100; ++i) {
    const StepOutput output = simulator.step();
    EXPECT_EQ(output.is_offroad, output.ego.pose.x > 100);
    if (output.status)
      for (const std::string& warning : output.status->warnings)
        said += warning.find("off the drivable area") != std::string::npos;
  }
  EXPECT_EQ(said, 1);
}

TEST(Simulator, StatusComesTenTimesASecond) {
  Simulator simulator(minimalWorld(), {});
  int count = 0;
  for (int i = 0; i < 1000; ++i) count += simulator.step().status.has_value();
  EXPECT_EQ(count, 100);
}

TEST(Simulator, EveryQuaternionIsUnitAndEveryStampTheClocks) {
  Simulator simulator(minimalWorld(), parametersAt(3));
  for (int i = 0; i < 2000; ++i) {
    const StepOutput output =
        simulator.step(ControlInput{.steering_angle = 0.4 * std::sin(i * 0.01), .speed = 8});
    const EgoPose& pose = output.ego.pose;
    ASSERT_TRUE(gs::isUnit({pose.qx, pose.qy, pose.qz, pose.qw}));
    ASSERT_EQ(pose.stamp.ns, i * int64_t{10'000'000});
    ASSERT_EQ(output.ego.speed, output.ego.twist.vx);
  }
}

TEST(Simulator, NonsenseNeverReachesTheState) {
  Simulator simulator(minimalWorld(), parametersAt(5));
  const double bad[] = {kNan, std::numeric_limits<double>::infinity(), -1e300, 1e300, 1e38};
  for (int i = 0; i < 500; ++i) {
    const double value = bad[i % 5];
    const StepOutput output = simulator.step(ControlInput{.steering_angle = value,
                                                          .steering_angle_velocity = bad[i % 3],
                                                          .speed = value,
                                                          .acceleration = -value,
                                                          .stamp = {i * 7919 - 1000}});
    const EgoState& ego = output.ego;
    ASSERT_TRUE(std::isfinite(ego.pose.x + ego.pose.y + ego.pose.z + ego.speed +
                              ego.steering_angle + ego.twist.wz + ego.acceleration));
    if (output.status) {
      ASSERT_LE(output.status->warnings.size(), 20u);
    }
  }
}

TEST(Simulator, TheGroundLiftsAndTiltsTheVehicle) {
  auto world = minimalWorld();
  gs::Heightmap& map = world->bundle.heightmap;
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col)
      map.samples[static_cast<size_t>(row) * map.width + col] =
          static_cast<float>(0.1 * (map.origin_x + col * map.resolution));
  Simulator simulator(world, parametersAt(5));
  const StepOutput output = afterSteps(simulator, 101, ControlInput{.speed = 5});
  EXPECT_NEAR(output.ego.pose.z, 0.1 * output.ego.pose.x, 1e-5);
  EXPECT_NEAR(planarPoseOf(output.ego.pose).pitch, -std::atan(0.1), 1e-5);
  EXPECT_NEAR(output.ego.pose.x, 10 + 5 * std::cos(std::atan(0.1)), 1e-3);
}

TEST(Simulator, WhereTheGroundIsUnknownHeightAndSlopeStayAndOneWarningSaysSo) {
  auto world = minimalWorld();
  gs::Heightmap& map = world->bundle.heightmap;
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col) {
      float& sample = map.samples[static_cast<size_t>(row) * map.width + col];
      const double x = map.origin_x + col * map.resolution;
      sample = x > 20 ? std::numeric_limits<float>::quiet_NaN() : 2.5f;
    }
  Simulator simulator(world, parametersAt(10));
  int said = 0;
  StepOutput output;
  for (int i = 0; i < 300; ++i) {
    output = simulator.step(ControlInput{.speed = 10});
    ASSERT_EQ(output.ego.pose.z, 2.5);
    if (output.status)
      for (const std::string& warning : output.status->warnings)
        said += warning.find("no ground known") != std::string::npos;
  }
  EXPECT_GT(output.ego.pose.x, 35);
  EXPECT_EQ(said, 1);
}

gs::TriangleMesh wallAt(float x) {
  return {.positions = {{x, -5, 0}, {x, 5, 0}, {x, 5, 2}, {x, -5, 2}},
          .triangles = {{0, 1, 2}, {0, 2, 3}}};
}

TEST(Simulator, ACollisionIsReportedAndStopsTheEgoWhenAsked) {
  auto world = minimalWorld();
  world->bundle.static_mesh = wallAt(30);
  SimulationParameters parameters = parametersAt(10);
  Simulator reports(world, parameters);
  EXPECT_GT(afterSteps(reports, 301, ControlInput{.speed = 10}).ego.pose.x, 35);

  parameters.simulation.on_collision = OnCollision::Stop;
  Simulator stops(world, parameters);
  const StepOutput end = afterSteps(stops, 301, ControlInput{.speed = 10});
  EXPECT_TRUE(end.is_collision);
  EXPECT_NEAR(end.ego.pose.x, 30 - 3.7, 0.11);
  EXPECT_EQ(end.ego.speed, 0);
  EXPECT_TRUE(stops.reset(std::nullopt, false).success);
  EXPECT_FALSE(afterSteps(stops, 10, ControlInput{.speed = 10}).is_collision);
}

TEST(Simulator, TheSameCommandsGiveTheSameHashesAndOthersDoNot) {
  Simulator one(minimalWorld(), {}), two(minimalWorld(), {}), other(minimalWorld(), {});
  for (int i = 0; i < 300; ++i) {
    const ControlInput control{.steering_angle = 0.1, .speed = 4};
    const ControlInput different{.steering_angle = i == 200 ? 0.11 : 0.1, .speed = 4};
    const uint64_t hash = one.step(control).state_hash;
    ASSERT_EQ(hash, two.step(control).state_hash);
    ASSERT_EQ(hash == other.step(different).state_hash, i < 200) << i;
  }
}

TEST(Simulator, ResetWithTimeRunsTheSameAgain) {
  Simulator simulator(minimalWorld(), parametersAt(2));
  std::vector<uint64_t> first, second;
  for (int i = 0; i < 50; ++i) first.push_back(simulator.step(ControlInput{.speed = 5}).state_hash);
  EXPECT_TRUE(simulator.reset(std::nullopt, true).success);
  for (int i = 0; i < 50; ++i)
    second.push_back(simulator.step(ControlInput{.speed = 5}).state_hash);
  EXPECT_EQ(first, second);
}

TEST(Simulator, ResetWithoutTimeKeepsTheClockGoing) {
  Simulator simulator(minimalWorld(), parametersAt(2));
  afterSteps(simulator, 50);
  EgoPose pose = egoPoseOf({.x = 30, .y = 1, .yaw = 0.5}, {});
  EXPECT_TRUE(simulator.reset(pose, false).success);
  const StepOutput output = simulator.step();
  EXPECT_EQ(output.info.step, 50);
  EXPECT_EQ(output.ego.pose.x, 30);
  EXPECT_EQ(output.ego.speed, 0);
}

TEST(Simulator, SetEgoPoseRefusesWhatIsNoPoseAndAcceptsAnyPlace) {
  Simulator simulator(minimalWorld(), {});
  simulator.step();
  EXPECT_FALSE(simulator.setEgoPose({.x = kNan}, {}).success);
  EXPECT_FALSE(simulator.setEgoPose({.qx = 0, .qw = 0}, {}).success);
  EXPECT_FALSE(simulator.setEgoPose({}, {.vx = kNan}).success);
  EXPECT_EQ(simulator.current().ego.pose.x, 10);
  const RequestResult far = simulator.setEgoPose({.x = 1e6, .y = -1e6, .z = 7}, {.vx = 1e9});
  EXPECT_TRUE(far.success);
  EXPECT_THAT(far.message, HasSubstr("no ground is known"));
  const StepOutput output = afterSteps(simulator, 10);
  EXPECT_TRUE(output.is_offroad);
  EXPECT_EQ(output.ego.pose.z, 7);
  EXPECT_LE(output.ego.speed, 30);
}

TEST(Simulator, SetEgoPoseKeepsTheCurveOfTheTwist) {
  for (const auto model : {DynamicsModel::KinematicBicycle, DynamicsModel::DynamicBicycle}) {
    SimulationParameters parameters;
    parameters.vehicle.dynamics_model = model;
    Simulator simulator(minimalWorld(), parameters);
    simulator.step();
    const RequestResult result = simulator.setEgoPose({.x = 20}, {.vx = 5, .wz = 0.3});
    EXPECT_EQ(result.message, "set");
    EXPECT_NEAR(simulator.current().ego.twist.wz, 0.3, 1e-9);
    // The wheels turn back towards the command at max_steering_rate, in a step by little.
    const StepOutput next = simulator.step();
    EXPECT_NEAR(next.ego.twist.wz, 0.3, 0.02);
    EXPECT_NEAR(next.ego.twist.vx, 5, 0.1);
    EXPECT_GT(planarPoseOf(next.ego.pose).yaw, 0.002);
  }
}

TEST(Simulator, SetEgoPoseKeepsTheSideSpeedThatItsModelHas) {
  SimulationParameters parameters;
  parameters.vehicle.dynamics_model = DynamicsModel::DynamicBicycle;
  Simulator simulator(minimalWorld(), parameters);
  simulator.step();
  EXPECT_EQ(simulator.setEgoPose({.x = 20}, {.vx = 8, .vy = 0.4, .wz = 0.1}).message, "set");
  EXPECT_EQ(simulator.current().ego.twist.vy, 0.4);
  EXPECT_EQ(simulator.current().ego.twist.wz, 0.1);
  const double y = simulator.current().ego.pose.y;
  EXPECT_GT(simulator.step().ego.pose.y, y + 0.001);
}

TEST(Simulator, SetEgoPoseSaysWhatOfTheTwistTheModelCannotHold) {
  Simulator simulator(minimalWorld(), {});
  simulator.step();
  const auto said = [&](const EgoTwist& twist) {
    return simulator.setEgoPose({.x = 20}, twist).message;
  };
  EXPECT_THAT(said({.vx = 5, .vy = 1, .vz = 1, .wx = 1, .wy = 1, .wz = 0.1}),
              HasSubstr("cannot hold vy, vz, wx, wy of the twist"));
  EXPECT_THAT(said({.wz = 0.1}), HasSubstr("cannot hold wz of"));         // it stands
  EXPECT_THAT(said({.vx = 1, .wz = 3}), HasSubstr("cannot hold wz of"));  // a circle too small
  EXPECT_THAT(said({.vx = 200}), HasSubstr("cannot hold vx of"));         // max_speed
}

TEST(Simulator, ParametersThatNameUnknownSensorsAreRefusedWithASuggestion) {
  SimulationParameters parameters;
  parameters.sensors.camera.choice.ids = {"fornt"};
  try {
    Simulator simulator(minimalWorld(), parameters);
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::ConfigInvalid);
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'front'"));
  }
}

// A sensor whose readings are the numbers of its samples, and which fails on demand.
class Counter final : public Sensor {
 public:
  Counter(const std::string& id, double rate_hz, int fails_at = 0)
      : Sensor({.kind = "counter",
                .id = id,
                .frame_id = "counter_" + id,
                .rate_hz = rate_hz,
                .component = "Counter",
                .instead = "minus one is published"}),
        fails_at_(fails_at) {}

  SensorResult sample(const SensorStep& step) override {
    EXPECT_TRUE(step.scene.isBackgroundOnly());
    if (++count_ == fails_at_) return {toSensorData(-1), "out of numbers"};
    if (count_ == 7) throw std::runtime_error("seven");
    return {toSensorData(count_), ""};
  }
  void restart() override { count_ = 0; }

 private:
  int count_ = 0, fails_at_;
};

Sensors counters(const std::string& first, double rate_hz, int fails_at = 0) {
  Sensors sensors;
  sensors.push_back(std::make_unique<Counter>(first, rate_hz, fails_at));
  sensors.push_back(std::make_unique<Counter>("slow", 2));
  return sensors;
}

TEST(Simulator, TwelveHertzFiresExactly120TimesInTenSeconds) {
  Sensors sensors;
  sensors.push_back(std::make_unique<Counter>("front", 12));
  Simulator simulator(minimalWorld(), {}, std::move(sensors));
  ASSERT_EQ(simulator.sensors().size(), 1u);
  EXPECT_EQ(simulator.sensors()[0].id, "front");
  int readings = 0, failures = 0;
  for (int i = 0; i < 1000; ++i) {
    const StepOutput output = simulator.step();
    for (const SensorReading& reading : output.readings) {
      EXPECT_EQ(reading.sensor, 0u);
      EXPECT_NEAR(gs::toSeconds(output.info.stamp), *findValue<int>(reading.data.get()) / 12.0,
                  0.005 + 1 / 12.0);
      ++readings;
    }
    if (output.status) failures += static_cast<int>(output.status->errors.size());
  }
  EXPECT_EQ(readings, 119) << "and the seventh failed";
  EXPECT_EQ(failures, 1);
}

TEST(Simulator, ASensorThatFailsPublishesWhatItHasInsteadAndSaysSo) {
  Simulator simulator(minimalWorld(), {}, counters("quick", 20, 2));
  std::vector<std::string> errors;
  std::vector<int> quick, slow;
  for (int i = 0; i < 60; ++i) {
    const StepOutput output = simulator.step();
    for (const SensorReading& reading : output.readings)
      (reading.sensor == 0 ? quick : slow).push_back(*findValue<int>(reading.data.get()));
    if (output.status)
      errors.insert(errors.end(), output.status->errors.begin(), output.status->errors.end());
  }
  EXPECT_THAT(quick, ElementsAre(1, -1, 3, 4, 5, 6, 8, 9, 10, 11, 12)) << "the seventh threw";
  EXPECT_THAT(slow, ElementsAre(1, 2));
  EXPECT_THAT(errors, Contains("[Counter] quick: out of numbers: minus one is published"));
  EXPECT_THAT(errors, Contains("[Counter] quick: seven: minus one is published"));
}

TEST(Simulator, SensorsForgetWhatTheySawWhenTheEgoIsPutElsewhere) {
  Simulator simulator(minimalWorld(), {}, counters("quick", 100));
  afterSteps(simulator, 3);
  simulator.setEgoPose({.x = 20}, {});
  const StepOutput next = simulator.step();
  EXPECT_EQ(*findValue<int>(next.readings.at(0).data.get()), 1);
}

TEST(Simulator, TheDynamicModelDrivesAsFarAsTheKinematicOneWhenStraight) {
  SimulationParameters parameters = parametersAt(0);
  Simulator kinematic(minimalWorld(), parameters);
  parameters.vehicle.dynamics_model = DynamicsModel::DynamicBicycle;
  Simulator dynamic(minimalWorld(), parameters);
  const ControlInput control{.speed = 12};
  EXPECT_NEAR(afterSteps(kinematic, 500, control).ego.pose.x,
              afterSteps(dynamic, 500, control).ego.pose.x, 1e-9);
}

TEST(Simulator, WithLagAndDelayTheSpeedIsReachedWithoutOvershoot) {
  SimulationParameters parameters = parametersAt(0);
  parameters.vehicle.actuator = {.steering_delay = 0.1,
                                 .steering_lag = 0.2,
                                 .acceleration_delay = 0.1,
                                 .acceleration_lag = 0.3};
  Simulator simulator(minimalWorld(), parameters);
  double fastest = 0;
  StepOutput output;
  for (int i = 0; i < 1500; ++i) {
    output = simulator.step(ControlInput{.speed = 6});
    fastest = std::max(fastest, output.ego.speed);
  }
  EXPECT_LT(fastest, 6.1);
  EXPECT_NEAR(output.ego.speed, 6, 0.01);
}

// A world whose road rises by 6 % along x and by 3 % to the left, and a base_link that hangs over
// it.
std::shared_ptr<WorldData> slopingWorld(const gs::BaseLinkAboveGround& base) {
  auto world = minimalWorld();
  gs::Heightmap& map = world->bundle.heightmap;
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col)
      map.samples[static_cast<size_t>(row) * map.width + col] =
          static_cast<float>(0.06 * (map.origin_x + col * map.resolution) +
                             0.03 * (map.origin_y + row * map.resolution));
  world->bundle.timebase.base_link_above_ground = base;
  return world;
}

constexpr auto kLifted = gs::BaseLinkAboveGround::ofDegrees(0.95, -0.4, -0.9);

TEST(Simulator, BaseLinkHangsOverTheRoadAsTheWorldSays) {
  auto world = minimalWorld();
  world->bundle.timebase.base_link_above_ground = kLifted;
  Simulator simulator(world, parametersAt(5));
  const StepOutput end = afterSteps(simulator, 301, ControlInput{.speed = 5});
  const PlanarPose pose = planarPoseOf(end.ego.pose);
  constexpr double kDegree = 0.017453292519943295;
  EXPECT_NEAR(pose.x, 25, 1e-6);
  EXPECT_NEAR(pose.z, 0.95, 1e-6);
  EXPECT_NEAR(pose.pitch, -0.4 * kDegree, 1e-9);
  EXPECT_NEAR(pose.roll, -0.9 * kDegree, 1e-9);
  EXPECT_NEAR(end.ego.speed, 5, 1e-9);
  // Nose up: some of the motion is downwards along base_link's axes.
  EXPECT_NEAR(end.ego.twist.vz, -5 * std::sin(0.4 * kDegree), 1e-3);
}

TEST(Simulator, TheBodyDivesWhenItBrakesAndRisesAgain) {
  auto world = minimalWorld();
  world->bundle.timebase.base_link_above_ground =
      gs::BaseLinkAboveGround{.height = 1, .pitch_per_acceleration = -0.004};
  Simulator simulator(world, parametersAt(8));
  const double level =
      planarPoseOf(afterSteps(simulator, 50, ControlInput{.speed = 8}).ego.pose).pitch;
  EXPECT_NEAR(level, 0, 1e-9);
  const ControlInput braking{.acceleration = -2, .mode = ControlInput::Mode::Acceleration};
  const double at_once = planarPoseOf(simulator.step(braking).ego.pose).pitch;
  const double later = planarPoseOf(afterSteps(simulator, 150, braking).ego.pose).pitch;
  EXPECT_LT(at_once, 0.002);  // not with a jerk
  EXPECT_NEAR(later, 0.008, 1e-4);
  afterSteps(simulator, 500, braking);
  EXPECT_NEAR(planarPoseOf(simulator.current().ego.pose).pitch, 0, 1e-4);  // stands
}

TEST(Simulator, TheBodyLeansOutOfACurveItIsPutInto) {
  auto world = minimalWorld();
  world->bundle.timebase.base_link_above_ground =
      gs::BaseLinkAboveGround{.height = 1, .roll_per_lateral_acceleration = 0.01};
  Simulator simulator(world, parametersAt(0));
  const EgoPose start = simulator.current().ego.pose;
  ASSERT_TRUE(simulator.setEgoPose(start, {.vx = 5, .wz = 0.4}).success);
  const PlanarPose placed = planarPoseOf(simulator.current().ego.pose);
  EXPECT_NEAR(placed.roll, 0.02, 1e-9);
  EXPECT_NEAR(placed.y, start.y, 1e-6);  // base_link is where it was asked for all the same
}

TEST(Simulator, AParameterOverridesWhereTheWorldHasBaseLink) {
  SimulationParameters parameters = parametersAt(0);
  parameters.vehicle.base_link_above_ground = gs::BaseLinkAboveGround{.height = 0.3};
  auto world = minimalWorld();
  world->bundle.timebase.base_link_above_ground = kLifted;
  EXPECT_NEAR(Simulator(world, parameters).step().ego.pose.z, 0.3, 1e-9);
  parameters.vehicle.base_link_above_ground->height = 30;
  EXPECT_THROW(Simulator(world, parameters), gs::Error);
}

TEST(Simulator, OnASlopeBaseLinkIsPutWhereItWasAskedFor) {
  Simulator simulator(slopingWorld(kLifted), parametersAt(0));
  const EgoPose wanted = egoPoseOf({.x = 20, .y = -3, .yaw = 2}, {});
  ASSERT_TRUE(simulator.setEgoPose(wanted, {}).success);
  const PlanarPose placed = planarPoseOf(simulator.current().ego.pose);
  EXPECT_NEAR(placed.x, 20, 1e-6);
  EXPECT_NEAR(placed.y, -3, 1e-6);
  EXPECT_NEAR(placed.yaw, 2, 1e-6);
  EXPECT_NEAR(placed.z, 0.06 * 20 - 0.03 * 3 + 0.95, 0.01);
  // Placing it where it is changes nothing.
  const EgoPose before = simulator.current().ego.pose;
  ASSERT_TRUE(simulator.setEgoPose(before, {}).success);
  EXPECT_NEAR(simulator.current().ego.pose.x, before.x, 1e-6);
  EXPECT_NEAR(simulator.current().ego.pose.z, before.z, 1e-6);
}

TEST(Simulator, TheVehicleDrivesTheSameWhereverItsBaseLinkIs) {
  Simulator on_road(slopingWorld({}), parametersAt(6)),
      lifted(slopingWorld(kLifted), parametersAt(6));
  const EgoPose start = on_road.current().ego.pose;
  const gs::Rigid3 lifted_start = mapFromBase(start) * kLifted.footingFromBase();
  ASSERT_TRUE(on_road.setEgoPose(start, {.vx = 6}).success);
  ASSERT_TRUE(lifted.setEgoPose(toEgoPose(lifted_start, {}), {.vx = 6}).success);
  for (int step = 0; step < 600; ++step) {
    const ControlInput control{.steering_angle = 0.12, .speed = 6};
    const StepOutput a = on_road.step(control), b = lifted.step(control);
    ASSERT_EQ(a.is_offroad, b.is_offroad) << step;
    ASSERT_EQ(a.is_collision, b.is_collision) << step;
    const gs::Rigid3 expected = mapFromBase(a.ego.pose) * kLifted.footingFromBase();
    const gs::Rigid3 found = mapFromBase(b.ego.pose);
    ASSERT_LT((expected.translation - found.translation).norm(), 1e-6) << step;
    ASSERT_LT(expected.rotation.angularDistance(found.rotation), 1e-6) << step;
  }
}

// Turning in: the yaw rate grows, and its growth is what is said of it.
TEST(Simulator, AngularAccelerationIsTheChangeOfTheTwist) {
  Simulator simulator(minimalWorld(), parametersAt(5));
  const ControlInput turning{.steering_angle = 0.2, .speed = 5};
  StepOutput before = simulator.step(turning);
  EXPECT_EQ(before.ego.angular_acceleration, (std::array<double, 3>{}));
  double most = 0;
  for (int i = 0; i < 30; ++i) {
    const StepOutput now = simulator.step(turning);
    EXPECT_NEAR(now.ego.angular_acceleration[2], (now.ego.twist.wz - before.ego.twist.wz) / 0.01,
                1e-12);
    const auto message = vehicleStateMessage(now, simulator.frames());
    EXPECT_EQ(message.accel.angular.z, now.ego.angular_acceleration[2]);
    most = std::max(most, now.ego.angular_acceleration[2]);
    before = now;
  }
  EXPECT_GT(most, 0.5);
  // Where the ego is put, nothing is on its way any more.
  ASSERT_TRUE(simulator.setEgoPose(before.ego.pose, {.vx = 5}).success);
  EXPECT_EQ(simulator.current().ego.angular_acceleration, (std::array<double, 3>{}));
}

TEST(Simulator, APoseWhereNobodyCanBeIsRefusedByNameInTheAnswerAndTheStatus) {
  Simulator simulator(minimalWorld(), parametersAt(0));
  simulator.step();
  EgoPose nowhere, unturned;
  nowhere.x = kNan;
  unturned.qw = 0.5;
  EXPECT_THAT(simulator.reset(nowhere, false).message,
              HasSubstr("[EgoStateCore] INVALID_TRANSFORM: position=(nan, 0, 0)"));
  const RequestResult refused = simulator.setEgoPose(unturned, {});
  EXPECT_FALSE(refused.success);
  EXPECT_THAT(refused.message, HasSubstr("[EgoStateCore] INVALID_QUATERNION: "));
  EXPECT_THAT(simulator.setEgoPose({}, {.wz = kNan}).message,
              HasSubstr("[EgoStateCore] INVALID_TRANSFORM: "));
  EXPECT_THAT(simulator.current().status->warnings, Contains(refused.message));
  EXPECT_EQ(simulator.current().ego.pose.x, 10);
}

TEST(WorldLoader, AHeightmapOfAnotherSizeIsRefusedByName) {
  const gs::testing::TempDir dir;
  gs::writeBundle(dir / "world", gs::makeMinimalBundle());
  gs::writeFile(dir / "world/geometry/heightmap.bin", std::string_view("1234"));
  try {
    loadWorld(dir / "world");
    FAIL() << "not refused";
  } catch (const gs::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("] INVALID_HEIGHTMAP_SIZE: "));
    EXPECT_THAT(error.what(), HasSubstr("need"));
  }
}

}  // namespace
}  // namespace gs_sim
