// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/effective_parameters.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/load_parameters.hpp"
#include "gs_sim/parameter_store.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

std::shared_ptr<const WorldData> unusualWorld() {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  bundle.timebase.simulation.dt = 0.02;
  bundle.timebase.initial_pose.velocity[0] = 2.5;
  bundle.metadata.coordinate_system.map_frame = "world";
  return std::make_shared<const WorldData>(WorldData{"minimal", std::move(bundle), {}});
}

// As `ros2 param dump` writes it.
std::string yamlOf(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
    return fmt::format("[{}]", fmt::join(*texts, ", "));
  return "null";
}

std::vector<Parameter> shown(const SimulationParameters& parameters) {
  ParameterStore store;
  store.declareFields(parameters);
  return store.all();
}

uint64_t hashAfterSomeSteps(const SimulationParameters& parameters) {
  Simulator simulator(unusualWorld(), parameters);
  uint64_t hash = 0;
  for (int i = 0; i < 100; ++i)
    hash = simulator.step(ControlInput{.steering_angle = 0.1, .speed = 12}).state_hash;
  return hash;
}

TEST(EffectiveParameters, NothingIsAbsent) {
  const auto all = shown(effectiveParameters({}, unusualWorld()->bundle));
  EXPECT_GT(all.size(), 50u);
  for (const Parameter& parameter : all) EXPECT_TRUE(isSet(parameter.value)) << parameter.name;
}

TEST(EffectiveParameters, AreWhatTheSimulationUses) {
  const auto world = unusualWorld();
  const SimulationParameters effective = effectiveParameters({}, world->bundle);
  const Simulator simulator(world, {});
  EXPECT_EQ(*effective.simulation.dt, 0.02);
  EXPECT_EQ(gs::findDuration(*effective.simulation.dt), simulator.dt());
  EXPECT_EQ(*effective.frames.map, simulator.frames().map);
  EXPECT_EQ(*effective.frames.odom, simulator.frames().odom);
  EXPECT_EQ(*effective.frames.base_link, simulator.frames().base_link);
  const EgoState ego = simulator.current().ego;
  EXPECT_EQ(*effective.simulation.initial_velocity, ego.speed);
  EXPECT_EQ(effective.simulation.initial_pose->x, ego.pose.x);
  EXPECT_EQ(effective.simulation.initial_pose->y, ego.pose.y);
  EXPECT_EQ(effective.sensors.camera.choice.ids, std::vector<std::string>{"front"});
}

TEST(EffectiveParameters, OfAnInitialPoseTheWorldGivesWhatNobodyDid) {
  auto bundle = unusualWorld()->bundle;
  bundle.timebase.initial_pose.position = {10, 2, 0};
  const auto world = std::make_shared<const WorldData>(WorldData{"minimal", bundle, {}});
  SimulationParameters given;
  given.simulation.initial_pose = LoopParameters::InitialPose{.y = -1};
  const auto pose = effectiveParameters(given, world->bundle).simulation.initial_pose;
  EXPECT_EQ(pose->x, 10);
  EXPECT_EQ(pose->y, -1);
  const EgoState ego = Simulator(world, given).current().ego;
  const EgoState start = Simulator(world, {}).current().ego;
  EXPECT_EQ(ego.pose.x, start.pose.x);
  EXPECT_EQ(ego.pose.y, -1);
  EXPECT_EQ(ego.pose.qz, start.pose.qz);

  given.simulation.initial_pose = LoopParameters::InitialPose{.yaw = 0.5};
  const EgoState turned = Simulator(world, given).current().ego;
  EXPECT_EQ(turned.pose.x, start.pose.x);
  EXPECT_NEAR(planarPoseOf(turned.pose).yaw, 0.5, 1e-12);
}

TEST(EffectiveParameters, WhatWasGivenStays) {
  SimulationParameters given;
  given.simulation.dt = 0.005;
  given.frames.map = "earth";
  given.sensors.camera.choice.rate_override = 7;
  const auto effective = effectiveParameters(given, unusualWorld()->bundle);
  EXPECT_EQ(effective.simulation.dt, 0.005);
  EXPECT_EQ(effective.frames.map, "earth");
  EXPECT_EQ(effective.sensors.camera.choice.rate_override, 7);
}

TEST(EffectiveParameters, ADumpOfThemMakesTheSameRun) {
  for (const auto model : {DynamicsModel::KinematicBicycle, DynamicsModel::DynamicBicycle}) {
    SimulationParameters given;
    given.vehicle.dynamics_model = model;
    std::vector<std::pair<std::string, std::string>> dump;
    for (const auto& [name, value] : shown(effectiveParameters(given, unusualWorld()->bundle)))
      dump.emplace_back(name, yamlOf(value));
    const SimulationParameters loaded = loadParameters({.assignments = assignmentsFrom(dump)});
    EXPECT_EQ(loaded.simulation.replay_control, std::nullopt);
    EXPECT_EQ(loaded.sensors.lidar.choice.rate_override, std::nullopt);
    EXPECT_EQ(hashAfterSomeSteps(loaded), hashAfterSomeSteps(given));
  }
}

}  // namespace
}  // namespace gs_sim
