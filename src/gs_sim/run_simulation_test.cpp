// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/run_simulation.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/load_config.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/step_pacer.hpp"

namespace gs_sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Simulator minimal(SimulationParameters parameters = {}) {
  parameters.simulation.real_time_factor = 0;
  auto world = std::make_shared<const WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
  return Simulator(world, parameters);
}

RunOptions lasting(double seconds) { return {.duration = gs::findDuration(seconds)}; }

DrivePath pathOf(const std::vector<gs::Vec2>& points) {
  std::vector<TimedPoint> timed;
  for (const gs::Vec2& p : points) timed.push_back({std::nullopt, p.x(), p.y()});
  return findDrivePath(timed).value();
}

TEST(Run, LastsAsLongAsItIsAskedTo) {
  Simulator simulator = minimal();
  auto nobody = createNobody();
  const RunReport report = runSimulation(simulator, *nobody, lasting(2), {});
  EXPECT_EQ(report.steps, 201);  // the initial state and 200 steps
  EXPECT_EQ(report.simulated_sec, 2);
  EXPECT_EQ(report.ended_by, "duration");
  EXPECT_TRUE(report.success);
}

TEST(Run, TimedCommandsTakeEffectAtTheirTimes) {
  Simulator simulator = minimal();
  auto driver = createTimedDriver({{.at = 0, .speed = 3},
                                   {.at = 2, .steering_angle = 0.1},
                                   {.at = 4, .speed = 0, .acceleration = 1}},
                                  {});
  std::vector<StepOutput> outputs;
  runSimulation(simulator, *driver, lasting(8),
                {.onStep = [&](const StepOutput& output) { outputs.push_back(output); }});
  EXPECT_NEAR(outputs[150].ego.speed, 3, 1e-6);
  EXPECT_EQ(outputs[199].ego.steering_angle, 0);
  EXPECT_GT(outputs[200].ego.steering_angle, 0);
  EXPECT_NEAR(outputs[450].ego.speed, 3 - 0.51, 1e-6);  // step 400 is the first that brakes
  EXPECT_EQ(outputs[800].ego.speed, 0);
}

TEST(Run, ASilentDriverMeansAnEmergencyStop) {
  Simulator simulator = minimal();
  auto driver = createTimedDriver({{.at = 0, .speed = 3}, {.at = 2, .silent = true}}, {});
  const RunReport report = runSimulation(simulator, *driver, lasting(6), {});
  EXPECT_EQ(report.events.emergency_stop.count, 1);
  EXPECT_NEAR(*report.events.emergency_stop.first_at, 3.0, 0.02);
  EXPECT_EQ(report.final_state.speed, 0);
}

TEST(Run, ThePathFollowerStaysOnThePathAndStopsAtItsEnd) {
  SimulationParameters parameters;
  parameters.simulation.initial_pose = LoopParameters::InitialPose{.x = 5};
  Simulator simulator = minimal(parameters);
  std::vector<gs::Vec2> points;  // a slalom of 2 m over 60 m
  for (double x = 5; x <= 65; x += 1) points.emplace_back(x, 2 * std::sin((x - 5) * M_PI / 30));
  const DrivePath path = pathOf(points);
  auto driver = createPathFollower(path, {.speed = 6}, parameters.vehicle);
  double farthest = 0;
  const auto watch = [&](const StepOutput& output) {
    const gs::Vec2 here(output.ego.pose.x, output.ego.pose.y);
    const double along = distanceAlong(path, here, 0, path.length());
    farthest = std::max(farthest, (pointAt(path, along) - here).norm());
  };
  const RunReport report = runSimulation(
      simulator, *driver, {.duration = gs::findDuration(60), .stop_when = {RunEvent::Arrived}},
      {.onStep = watch});
  EXPECT_EQ(report.ended_by, "arrived");
  EXPECT_TRUE(report.arrived);
  EXPECT_LT(farthest, 0.4);
  EXPECT_NEAR(report.final_state.x, 65, 0.5);
  EXPECT_LT(report.final_state.speed, 1.0);
}

// A road of 400 m along x, with a limit between 100 and 150 m.
gs::DrivableArea limitedRoad(double limit) {
  const auto stripe = [](double x0, double x1) {
    return gs::Polygon{{{x0, -5}, {x1, -5}, {x1, 5}, {x0, 5}, {x0, -5}}, {}};
  };
  return {{{.polygons = {stripe(0, 400)}, .priority = 1},
           {.polygons = {stripe(100, 150)}, .priority = 0, .speed_limit = limit}}};
}

TEST(Run, ThePathFollowerSlowsDownBeforeASpeedLimitBeginsAndNotInIt) {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  bundle.drivable = limitedRoad(5);
  SimulationParameters parameters;
  parameters.simulation.initial_pose = LoopParameters::InitialPose{.x = 10};
  parameters.simulation.real_time_factor = 0;
  Simulator simulator(std::make_shared<const WorldData>(WorldData{"limited", bundle, {}}),
                      parameters);
  const DriveScript::Follow follow{.path = {{10, 0}, {300, 0}}, .speed = 12};
  auto driver = createPathFollower(pathFor(follow, simulator.world()), follow, parameters.vehicle);
  double fastest_before = 0, fastest_in = 0, slowest_in = 100, fastest_after = 0, limit_said = 0;
  const auto watch = [&](const StepOutput& output) {
    const double x = output.ego.pose.x, speed = output.ego.speed;
    double& fastest = x < 100 ? fastest_before : x <= 150 ? fastest_in : fastest_after;
    fastest = std::max(fastest, speed);
    if (x >= 100 && x <= 150) slowest_in = std::min(slowest_in, speed);
    if (output.status && x > 101 && x < 149) limit_said = output.status->speed_limit.value_or(0);
    if (output.status && x < 99) {
      EXPECT_FALSE(output.status->speed_limit);
    }
  };
  runSimulation(simulator, *driver, lasting(40), {.onStep = watch});
  EXPECT_GT(fastest_before, 11.5);
  EXPECT_LE(fastest_in, 5.001);
  EXPECT_GT(slowest_in, 4.5);
  EXPECT_GT(fastest_after, 11.5);
  EXPECT_EQ(limit_said, 5);
}

TEST(DrivePath, AbsurdlyLongPathsHaveTheirLimitsToo) {
  DrivePath path = pathOf({{0, 0}, {1e9, 0}});
  obeySpeedLimits(path, limitedRoad(5));
  EXPECT_LE(path.allowed_speeds.size(), 1'000'002u);
  obeySpeedLimits(path, {});
  EXPECT_EQ(allowedSpeedAt(path, 120), std::numeric_limits<double>::infinity());
}

TEST(Run, StopsAndFailsAsConfigured) {
  SimulationParameters parameters;
  parameters.simulation.initial_velocity = 10;
  Simulator simulator = minimal(parameters);
  auto driver = createTimedDriver({{.at = 0, .speed = 20}}, {});
  const RunReport report =
      runSimulation(simulator, *driver,
                    {.duration = gs::findDuration(60),
                     .stop_when = {RunEvent::Offroad},
                     .fail_when = {RunEvent::Collision, RunEvent::Offroad, RunEvent::NotArrived}},
                    {});
  EXPECT_EQ(report.ended_by, "offroad");
  EXPECT_THAT(report.failures, ElementsAre("offroad", "not_arrived"));
  EXPECT_FALSE(report.success);
  EXPECT_NEAR(report.distance_m, 90, 0.5);
  const std::string junit =
      toJunit(report, {RunEvent::Collision, RunEvent::Offroad, RunEvent::NotArrived});
  EXPECT_THAT(junit, AllOf(HasSubstr("tests=\"4\" failures=\"2\""),
                           HasSubstr("name=\"no collision\" time"), HasSubstr("first at")));
}

TEST(Run, WhilePausedTheCallerDecidesWhenToStep) {
  SimulationParameters parameters;
  parameters.simulation.start_paused = true;
  Simulator simulator = minimal(parameters);
  auto nobody = createNobody();
  int allowed = 3;
  const RunReport report =
      runSimulation(simulator, *nobody, lasting(10),
                    {.waitWhilePaused = [&](Simulator&) { return allowed-- > 0; }});
  EXPECT_EQ(report.steps, 3);
  EXPECT_EQ(report.ended_by, "interrupt");
}

// Commands as bytes in a log, one per step.
void writeControlLog(const std::filesystem::path& file, const std::vector<ControlInput>& commands,
                     gs::Duration dt) {
  gs::McapWriter writer(file);
  using Message = gs::msgs::AckermannDriveStamped;
  const auto schema = writer.addSchema(Message::kRosType, "ros2msg", gs::rosSchemaText<Message>());
  const auto channel = writer.addChannel(schema, "/vehicle/control_cmd", "cdr");
  for (size_t i = 0; i < commands.size(); ++i) {
    const gs::Stamp stamp = gs::Stamp() + dt * static_cast<int64_t>(i);
    const auto bytes = gs::encodeCdr(toAckermann(commands[i], "base_link"));
    writer.write({.channel_id = channel, .log_time = stamp, .publish_time = stamp, .data = bytes});
  }
  writer.close();
}

TEST(Run, AWaitThatWasInterruptedIsRepeatedForTheSameStep) {
  Simulator simulator = minimal();
  DrivingSeat seat(nullptr);
  std::vector<gs::Stamp> asked_after;
  const RunReport report =
      runSimulation(simulator, seat, lasting(0.05), {.awaitCommand = [&](const StepInfo& last) {
                      asked_after.push_back(last.stamp);
                      Heard heard{.command = WireCommand{"wire", ControlInput{.speed = 3}}};
                      heard.was_interrupted = asked_after.size() % 3 == 0;
                      return heard;
                    }});
  EXPECT_EQ(report.steps, 6);
  ASSERT_EQ(asked_after.size(), 8u);
  EXPECT_EQ(asked_after[2], asked_after[3]);
  EXPECT_EQ(asked_after[5], asked_after[6]);
}

TEST(Replay, ARecordedRunReplaysToTheSameStates) {
  gs::testing::TempDir dir;
  std::vector<uint64_t> recorded, replayed;
  std::vector<ControlInput> commands;
  Simulator first = minimal(), second = minimal();
  auto follower = createPathFollower(pathOf({{10, 0}, {30, 2}, {60, -3}}), {.speed = 7.3}, {});
  runSimulation(first, *follower, lasting(5), {.onStep = [&](const StepOutput& output) {
                  recorded.push_back(output.state_hash);
                  commands.push_back(output.control.value());
                }});
  writeControlLog(dir / "run.mcap", commands, first.dt());
  auto replay = createReplayDriver(dir / "run.mcap", {}, {});
  runSimulation(second, *replay, {}, {.onStep = [&](const StepOutput& output) {
                  replayed.push_back(output.state_hash);
                }});
  EXPECT_EQ(recorded, replayed);
  EXPECT_EQ(recorded.size(), 501u);
}

TEST(Replay, ALogWithoutCommandsIsAnErrorThatSaysWhatIsMissing) {
  gs::testing::TempDir dir;
  gs::McapWriter(dir / "empty.mcap").close();
  try {
    createReplayDriver(dir / "empty.mcap", {}, {});
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::TopicNotFound);
    EXPECT_THAT(error.report().suggestion, HasSubstr("/vehicle/control_cmd"));
  }
}

TEST(ControlMessages, EachTypeBecomesTheSameCommand) {
  const VehicleParameters vehicle;
  const ControlInput command{.steering_angle = 0.25, .speed = 4, .stamp = {1'500'000'000}};
  EXPECT_EQ(toControlInput(toAckermann(command, "base_link")), command);
  EXPECT_EQ(toControlInput(toVehicleControlCmd(command, "base_link"), vehicle), command);
  gs::msgs::TwistStamped twist;
  twist.header.stamp = {1, 500'000'000};
  twist.twist.linear.x = 4;
  twist.twist.angular.z = 4 * std::tan(0.25) / vehicle.wheelbase;
  EXPECT_NEAR(toControlInput(twist, vehicle).steering_angle, 0.25, 1e-12);
  EXPECT_EQ(toControlInput(twist, vehicle).stamp, command.stamp);
}

TEST(ControlMessages, ReverseAndPedalsFollowTheGear) {
  const VehicleParameters vehicle;
  const ControlInput backwards{.speed = -2, .gear = Gear::Reverse};
  EXPECT_EQ(toControlInput(toVehicleControlCmd(backwards, ""), vehicle).speed, -2);
  gs::msgs::VehicleControlCmd pedals{.throttle = 0.5f, .gear = 1};
  EXPECT_EQ(toControlInput(pedals, vehicle).acceleration, -1.5);
  pedals = {.brake = 1, .gear = 3};
  EXPECT_EQ(toControlInput(pedals, vehicle).acceleration, -5);
  pedals = {.gear = 77};
  EXPECT_EQ(toControlInput(pedals, vehicle).gear, Gear::Park);
}

TEST(DrivePath, ComesFromACsvWithNamedColumns) {
  const auto points = parsePathCsv("timestamp,y,x\n0, 1, 2\n1,1,4\r\n\n2,1,8\n", "p.csv");
  ASSERT_EQ(points.size(), 3u);
  const auto path = findDrivePath(points);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->length(), 6);
  EXPECT_THAT(path->speeds, ElementsAre(2, 3, 4));
  EXPECT_EQ(pointAt(*path, 3).x(), 5);
  EXPECT_THROW(parsePathCsv("a,b\n1,2\n", "p.csv"), gs::Error);
  EXPECT_THROW(parsePathCsv("x,y\n1,nan\n", "p.csv"), gs::Error);
  EXPECT_FALSE(findDrivePath(parsePathCsv("x,y\n1,2\n1,2\n", "p.csv")));
}

std::vector<std::string> problemsOf(const std::string& yaml) {
  gs::ConfigDocument document = gs::parseConfigDocument(yaml, "drive.yaml");
  gs::readConfig<DriveScript>(document);
  std::vector<std::string> texts;
  for (const gs::Problem& problem : document.problems) texts.push_back(gs::toString(problem));
  return texts;
}

TEST(DriveScript, MistakesAreNamedWithTheirLines) {
  EXPECT_THAT(problemsOf("commands:\n- {at: 0, speed: 5}\n- {at: 2, speed: 0}\n"), IsEmpty());
  EXPECT_THAT(problemsOf("commands:\n- {at: 2}\n- {at: 1}\n"),
              ElementsAre(HasSubstr("line 3: commands[1].at: 1 is before")));
  EXPECT_THAT(problemsOf("follow: {speed: 5}\n"), ElementsAre(HasSubstr("exactly one of")));
  EXPECT_THAT(problemsOf("commands: [{at: 0, sped: 5}]\n"), ElementsAre(HasSubstr("'speed'")));
  EXPECT_THAT(problemsOf("fail_when: [crash]\n"), ElementsAre(HasSubstr("'collision'")));
  EXPECT_THAT(problemsOf("stop_when: [not_arrived]\n"), ElementsAre(HasSubstr("can fail a run")));
}

TEST(StepPacer, WithoutAFactorItNeverWaitsAndReportsNoTimes) {
  StepPacer pacer(0, {10'000'000}, 1000);
  for (int i = 0; i < 10; ++i) {
    pacer.beginStep();
    EXPECT_EQ(pacer.endStep().count(), 0);
  }
  EXPECT_EQ(pacer.timing().real_time_factor, 0);
  EXPECT_EQ(pacer.timing().step_duration_ms, 0);
  EXPECT_EQ(pacer.missedDeadlines(), 0);
}

TEST(StepPacer, WaitsForTheRestOfTheStep) {
  StepPacer pacer(0.001, {10'000'000}, 1000);  // a step every 10 s
  pacer.beginStep();
  const auto wait = pacer.endStep();
  EXPECT_GT(wait, std::chrono::seconds(5));
  EXPECT_LE(wait, std::chrono::seconds(10));
}

TEST(StepPacer, AStepBeyondTheLimitIsAMissedDeadline) {
  StepPacer pacer(0, {10'000'000}, -1);  // any step is longer than that
  pacer.beginStep();
  pacer.endStep();
  EXPECT_EQ(pacer.missedDeadlines(), 1);
}

// When each of some steps begins, s, if the first takes `first` and all others nothing.
std::vector<double> beginsAfter(double first) {
  using std::chrono::duration;
  StepPacer pacer(1, {10'000'000}, 1000);
  StepPacer::Clock::time_point now;
  std::vector<double> begins;
  for (int i = 0; i < 40; ++i) {
    begins.push_back(duration<double>(now.time_since_epoch()).count());
    pacer.beginStep(now);
    if (i == 0)
      now += std::chrono::duration_cast<StepPacer::Clock::duration>(duration<double>(first));
    now += pacer.endStep(now);
  }
  return begins;
}

TEST(StepPacer, QuickStepsMakeUpForALongOne) {
  const auto begins = beginsAfter(0.06);
  EXPECT_NEAR(begins[1], 0.06, 1e-9);
  EXPECT_NEAR(begins[6], 0.06, 1e-9);   // all at once
  EXPECT_NEAR(begins[10], 0.10, 1e-9);  // in time again
  EXPECT_NEAR(begins.back(), 0.39, 1e-9);
}

TEST(StepPacer, WhatIsTooLateIsNotRushedThrough) {
  const auto begins = beginsAfter(1);
  EXPECT_NEAR(begins[1], 1, 1e-9);
  EXPECT_NEAR(begins[2], 1.01, 1e-9);
  EXPECT_NEAR(begins.back(), 1.38, 1e-9);
}

// What a run of some steps of 1 ms complains about, each of which takes `took` ms.
std::vector<std::string> complaintsAbout(double took, double factor) {
  StepPacer pacer(factor, {1'000'000}, 1000);
  StepPacer::Clock::time_point now;
  std::vector<std::string> kinds;
  for (int i = 0; i < 200; ++i) {
    pacer.beginStep(now);
    now += std::chrono::microseconds(std::llround(1e3 * took));
    now += pacer.endStep(now);
    for (const auto& [kind, text] : pacer.complaints())
      if (std::find(kinds.begin(), kinds.end(), text) == kinds.end()) kinds.push_back(text);
  }
  return kinds;
}

TEST(StepPacer, SaysThatASensorTakesLongerThanItsPeriod) {
  StepPacer pacer(2, {10'000'000}, 1000);  // 10 Hz have 50 ms of real time
  StepPacer::Clock::time_point now;
  pacer.beginStep(now);
  pacer.endStep(now + std::chrono::milliseconds(60));
  EXPECT_THAT(pacer.complaintAbout("CameraRenderer", "front", 10),
              HasSubstr("front: a step with it took 60 ms, longer than its period of 50 ms"));
  EXPECT_EQ(pacer.complaintAbout("CameraRenderer", "front", 5), "");
  StepPacer free(0, {10'000'000}, 1000);
  free.beginStep(now);
  free.endStep(now + std::chrono::seconds(60));
  EXPECT_EQ(free.complaintAbout("CameraRenderer", "front", 10), "");
}

TEST(StepPacer, SaysThatStepsTakeTooLongAndThatTheRunFallsBehind) {
  EXPECT_THAT(complaintsAbout(5, 1),
              ElementsAre(HasSubstr("took 5 ms, longer than the 1 ms it has"),
                          HasSubstr("0.20 times real time instead of 1")));
  EXPECT_THAT(complaintsAbout(1.5, 1), ElementsAre(HasSubstr("took 1.5 ms")));
  EXPECT_THAT(complaintsAbout(0.9, 1), IsEmpty());
  EXPECT_THAT(complaintsAbout(1.5, 0.5), IsEmpty());
  EXPECT_THAT(complaintsAbout(1000, 0), IsEmpty()) << "nothing is too slow without a clock";
}

}  // namespace
}  // namespace gs_sim
