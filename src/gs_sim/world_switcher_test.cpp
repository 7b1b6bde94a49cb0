// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/world_switcher.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs_sim/testing/minimal_simulation.hpp"

namespace gs_sim {
namespace {

using ::testing::HasSubstr;
using testing::minimalSimulation;

LoadedSimulation load(const std::string& path) {
  if (path == "nowhere")
    throw gs::Error(
        {.code = gs::ErrorCode::BundleNotFound, .component = "x", .message = "no world"});
  return minimalSimulation(path);
}

TEST(WorldSwitcher, WhatWasPausedStaysPausedInTheNewWorld) {
  for (const bool is_paused : {false, true}) {
    LoadedSimulation simulation = minimalSimulation("one");
    simulation.simulator.step();
    simulation.simulator.step();
    simulation.simulator.setPaused(is_paused);
    WorldSwitcher switcher(simulation, load);
    EXPECT_TRUE(switcher.switchTo("two").success);
    EXPECT_EQ(simulation.world->bundle_path, "two");
    EXPECT_EQ(simulation.simulator.world().bundle_path, "two");
    EXPECT_EQ(simulation.simulator.isPaused(), is_paused);
    EXPECT_EQ(simulation.simulator.current().info.step, 0);
  }
}

TEST(WorldSwitcher, OnFailureTheWorldBeforeStays) {
  LoadedSimulation simulation = minimalSimulation("one");
  simulation.simulator.step();
  simulation.simulator.step();
  WorldSwitcher switcher(simulation, load);
  const RequestResult result = switcher.switchTo("nowhere");
  EXPECT_FALSE(result.success);
  EXPECT_THAT(result.message, HasSubstr("no world"));
  EXPECT_EQ(simulation.world->bundle_path, "one");
  EXPECT_EQ(simulation.simulator.current().info.step, 1);
}

TEST(WorldSwitcher, ARunThatIsRecordedStaysInItsWorld) {
  LoadedSimulation simulation = minimalSimulation("one");
  WorldSwitcher switcher(simulation, nullptr);
  EXPECT_FALSE(switcher.switchTo("two").success);
  EXPECT_EQ(simulation.world->bundle_path, "one");
}

}  // namespace
}  // namespace gs_sim
