// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/run_host.hpp"

#include <gmock/gmock.h>

#include "gs_sim/testing/fake_wire.hpp"
#include "gs_sim/testing/minimal_simulation.hpp"

namespace gs_sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeWire;
using ::testing::IsEmpty;
using testing::minimalSimulation;
using ::testing::SizeIs;

using namespace std::string_literals;

bool never() { return false; }

RunOptions lasting(double seconds) { return {.duration = gs::findDuration(seconds)}; }

// A host with one wire, and a run of it.
struct Hosted {
  explicit Hosted(const RunHost::Options& options = {}, SimulationParameters parameters = {})
      : simulation(minimalSimulation("one", std::move(parameters))), host(simulation, options) {
    host.attach(wire);
  }
  RunReport run(const RunOptions& options) {
    return runSimulation(simulation.simulator, host.seat(), options, host.hooks(never));
  }

  LoadedSimulation simulation;
  RunHost host;
  FakeWire wire;
};

TEST(RunHost, EveryStepIsPublishedOnEveryWire) {
  Hosted hosted;
  FakeWire second;
  hosted.host.attach(second);
  EXPECT_EQ(hosted.run(lasting(0.1)).steps, 11);
  EXPECT_THAT(hosted.wire.steps, SizeIs(11));
  EXPECT_THAT(second.steps, SizeIs(11));
  EXPECT_EQ(hosted.wire.steps.back(), second.steps.back());  // the same, not a copy
}

TEST(RunHost, PausedItMakesTheStepsThatWereAskedForAndNoMore) {
  SimulationParameters parameters;
  parameters.simulation.start_paused = true;
  Hosted hosted({}, parameters);
  std::vector<size_t> answered_after;
  hosted.host.work().post([&] {
    hosted.host.step(3, [&](const RequestResult&) {
      answered_after.push_back(hosted.wire.steps.size());
      hosted.host.work().post([&] { hosted.host.quit(); });
    });
  });
  EXPECT_EQ(hosted.run({}).ended_by, "interrupt");
  EXPECT_THAT(answered_after, ElementsAre(3u));
  EXPECT_THAT(hosted.wire.steps, SizeIs(3));
  EXPECT_TRUE(hosted.wire.steps.back()->info.is_paused);
}

TEST(RunHost, PausedItGoesOnToSayWhereThingsStand) {
  SimulationParameters parameters;
  parameters.simulation.start_paused = true;
  Hosted hosted({}, parameters);
  int rounds = 0;
  const auto hooks =
      hosted.host.hooks([&] { return hosted.wire.statuses.size() >= 3 || ++rounds > 1000; });
  size_t recorded = 0;
  auto recording = hooks;
  recording.onStep = [&](const StepOutput&) { ++recorded; };
  runSimulation(hosted.simulation.simulator, hosted.host.seat(), {}, recording);
  ASSERT_THAT(hosted.wire.statuses, SizeIs(3));
  for (const auto& now : hosted.wire.statuses) {
    EXPECT_TRUE(now->info.is_paused);
    EXPECT_EQ(now->info.stamp, hosted.host.current().info.stamp);
    ASSERT_TRUE(now->status);
    EXPECT_THAT(now->status->warnings, IsEmpty());
  }
  EXPECT_EQ(recorded, 0u);  // a recording holds steps
  EXPECT_THAT(hosted.wire.steps, IsEmpty());
}

TEST(RunHost, AWireTakesTheWheelFromTheScriptAndEverybodyIsTold) {
  auto script = createTimedDriver({{.at = 0, .speed = 3}}, {});
  Hosted hosted({.script = script.get()});
  ControlInput stop;
  stop.speed = 1;
  hosted.host.work().post([&] { hosted.wire.control = stop; });
  hosted.run(lasting(2));
  EXPECT_THAT(hosted.wire.drivers, ElementsAre("fake", "script"));
  EXPECT_EQ(hosted.wire.steps[0]->control->speed, 1);
  EXPECT_EQ(hosted.wire.steps[50]->control, std::nullopt);  // the wire is still waited for
  EXPECT_EQ(hosted.wire.steps[150]->control->speed, 3);
}

TEST(RunHost, AnInterruptedWaitMakesNoStep) {
  Hosted hosted;
  hosted.wire.is_interrupted = true;
  int rounds = 0;
  const auto hooks = hosted.host.hooks([&rounds] { return ++rounds > 5; });
  const RunReport report =
      runSimulation(hosted.simulation.simulator, hosted.host.seat(), {}, hooks);
  EXPECT_EQ(report.steps, 0);
  EXPECT_THAT(hosted.wire.asked_after, SizeIs(5));
}

TEST(RunHost, AtTheEndOfALapTheDriveBeginsAgain) {
  SimulationParameters parameters;
  parameters.simulation.initial_pose = LoopParameters::InitialPose{.x = 5};
  auto follower = createPathFollower(
      findDrivePath({{std::nullopt, 5, 0}, {std::nullopt, 12, 0}}).value(), {}, {});
  Hosted hosted({.script = follower.get(), .begins_again = true}, parameters);
  const RunReport report =
      hosted.run({.duration = gs::findDuration(60), .stop_when = {RunEvent::Arrived}});
  EXPECT_EQ(report.ended_by, "duration");
  EXPECT_FALSE(report.arrived);
  EXPECT_GE(hosted.wire.jumps, 2);
  // Put back without time being set back.
  gs::Stamp last;
  int returns = 0;
  double x = 5;
  for (const auto& step : hosted.wire.steps) {
    EXPECT_GE(step->info.stamp, last);
    last = step->info.stamp;
    returns += step->ego.pose.x < x - 1;
    x = step->ego.pose.x;
  }
  EXPECT_EQ(returns, hosted.wire.jumps);
}

TEST(RunHost, TheScriptGoesOnInTimeThatWasSetBack) {
  auto script = createTimedDriver({{.at = 0, .speed = 1}, {.at = 1, .speed = 2}}, {});
  Hosted hosted({.script = script.get()});
  auto hooks = hosted.host.hooks(never);
  hooks.onStep = [&](const StepOutput& step) {
    if (hosted.wire.steps.size() == 150)
      hosted.host.work().post([&] { hosted.host.reset(std::nullopt, true); });
    if (hosted.wire.steps.size() == 170) hosted.host.work().post([&] { hosted.host.quit(); });
    static_cast<void>(step);
  };
  runSimulation(hosted.simulation.simulator, hosted.host.seat(), {}, hooks);
  EXPECT_EQ(hosted.wire.steps[149]->control->speed, 2);
  EXPECT_EQ(hosted.wire.steps[151]->info.step, 0);
  EXPECT_EQ(hosted.wire.steps[151]->control->speed, 1);
  EXPECT_EQ(hosted.wire.steps[151]->control->stamp, hosted.wire.steps[151]->info.stamp);
}

TEST(RunHost, AnotherWorldIsLoadedOrTheOneBeforeStays) {
  Hosted hosted({.load = [](const std::string& path) { return minimalSimulation(path); }});
  EXPECT_EQ(hosted.host.parameters().get("world"), ParameterValue("one"s));
  EXPECT_TRUE(hosted.host.loadWorld("two").success);
  EXPECT_EQ(hosted.host.describe().world->bundle_path, "two");
  EXPECT_EQ(hosted.host.parameters().get("world"), ParameterValue("two"s));
  EXPECT_THAT(hosted.wire.parameters, Contains(Parameter{"world", "two"s}));
  Hosted recorded;
  EXPECT_FALSE(recorded.host.loadWorld("two").success);
  EXPECT_EQ(recorded.host.describe().world->bundle_path, "one");
}

}  // namespace
}  // namespace gs_sim
