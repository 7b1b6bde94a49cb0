// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/host_requests.hpp"

#include <gmock/gmock.h>

#include "gs_sim/run_host.hpp"
#include "gs_sim/testing/fake_wire.hpp"
#include "gs_sim/testing/minimal_simulation.hpp"

namespace gs_sim {
namespace {

using testing::FakeWire;
using ::testing::HasSubstr;
using testing::minimalSimulation;

struct Asked {
  explicit Asked(LoadSimulation load = nullptr)
      : simulation(minimalSimulation("one")), host(simulation, {.load = std::move(load)}) {
    host.attach(wire);
  }
  LoadedSimulation simulation;
  RunHost host;
  FakeWire wire;
};

TEST(HostRequests, PauseAndResumeSayWhatWasSo) {
  Asked asked;
  EXPECT_EQ(resume(asked.host).message, "was running already");
  EXPECT_EQ(pause(asked.host).message, "paused");
  EXPECT_TRUE(asked.host.isPaused());
  EXPECT_EQ(pause(asked.host).message, "was paused already");
  EXPECT_EQ(resume(asked.host).message, "running");
  EXPECT_FALSE(asked.host.isPaused());
}

TEST(HostRequests, StepsAreForAPausedSimulation) {
  Asked asked;
  std::optional<RequestResult> answer;
  step(asked.host, 1, [&](const RequestResult& result) { answer = result; });
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->success);
  EXPECT_THAT(answer->message, HasSubstr("pause it first"));
}

TEST(HostRequests, EveryWireForgetsThePastAfterAJumpAndOnlyThen) {
  Asked asked;
  EXPECT_TRUE(reset(asked.host, std::nullopt, true).success);
  EXPECT_EQ(asked.wire.jumps, 1);
  EXPECT_TRUE(setEgoPose(asked.host, {.x = 20}, {.vx = 1}).success);
  EXPECT_EQ(asked.wire.jumps, 2);
  EXPECT_FALSE(setEgoPose(asked.host, {.x = std::nan("")}, {}).success);
  EXPECT_EQ(asked.wire.jumps, 2);
}

TEST(HostRequests, EveryWireLearnsOfAnotherWorldAndOnlyOfOneThatWasLoaded) {
  Asked recorded;
  EXPECT_FALSE(loadWorld(recorded.host, "two").success);
  EXPECT_EQ(recorded.wire.worlds, 0);
  Asked asked([](const std::string& path) { return minimalSimulation(path); });
  EXPECT_TRUE(loadWorld(asked.host, "two").success);
  EXPECT_EQ(asked.wire.worlds, 1);
}

}  // namespace
}  // namespace gs_sim
