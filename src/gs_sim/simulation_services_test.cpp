// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulation_services.hpp"

#include <gmock/gmock.h>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs_sim/run_host.hpp"
#include "gs_sim/testing/minimal_simulation.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;
using ::testing::HasSubstr;

// A host and its services, called with bytes as a wire does.
struct Served {
  Served() : simulation(testing::minimalSimulation()), host(simulation, {}) {
    simulation.simulator.step();
  }

  template <typename Response>
  Response callWith(const std::string& name, gs::Bytes request) {
    Response response;
    for (const SimulationService& service : simulationServices(host)) {
      if (service.name != name) continue;
      const auto work = service.prepare(
          request, [&](gs::Bytes bytes) { response = gs::decodeCdr<Response>(bytes, name); });
      if (work) work();
    }
    return response;
  }
  template <typename Response, typename Request>
  Response call(const std::string& name, const Request& request) {
    return callWith<Response>(name, gs::encodeCdr(request));
  }

  LoadedSimulation simulation;
  RunHost host;
};

TEST(SimulationServices, ResetGoesToTheWorldsStartOrToTheOriginWhereThatIsMeant) {
  Served served;
  const double start = served.host.current().ego.pose.x;
  ASSERT_NE(start, 0);
  msgs::ResetWorldRequest request;
  request.initial_pose.orientation.w = 1;
  request.use_initial_pose = true;
  EXPECT_TRUE(served.call<msgs::ResetWorldResponse>("sim/reset_world", request).success);
  EXPECT_EQ(served.host.current().ego.pose.x, 0);
  request.use_initial_pose = false;
  EXPECT_TRUE(served.call<msgs::ResetWorldResponse>("sim/reset_world", request).success);
  EXPECT_EQ(served.host.current().ego.pose.x, start);
  // All zeros are no pose.
  request.initial_pose.orientation.w = 0;
  request.use_initial_pose = true;
  EXPECT_FALSE(served.call<msgs::ResetWorldResponse>("sim/reset_world", request).success);
}

TEST(SimulationServices, ResumeForOneStepEndsPausedWhetherItRanOrNot) {
  using Control = msgs::SimulationControlRequest;
  for (const bool was_paused : {false, true}) {
    Served served;
    served.host.setPaused(was_paused);
    bool is_answered = false;
    for (const SimulationService& service : simulationServices(served.host)) {
      if (service.name != "sim/control") continue;
      Control request{.command = Control::kCmdResume, .step_once = true};
      service.prepare(gs::encodeCdr(request), [&](gs::Bytes bytes) {
        is_answered = gs::decodeCdr<msgs::SimulationControlResponse>(bytes, "control").success;
        served.host.work().post([&] { served.host.quit(); });
      })();
    }
    EXPECT_FALSE(is_answered);  // before the step
    const RunReport report = runSimulation(served.simulation.simulator, served.host.seat(), {},
                                           served.host.hooks([] { return false; }));
    EXPECT_EQ(report.steps, 1);
    EXPECT_TRUE(is_answered);
    EXPECT_TRUE(served.host.isPaused());
  }
}

TEST(SimulationServices, ClientsThatKnowNoUseInitialPoseAreUnderstood) {
  Served served;
  msgs::ResetWorldRequest request;
  request.initial_pose.orientation.w = 1;
  request.initial_pose.position.x = 3;
  auto bytes = gs::encodeCdr(request);
  bytes.resize(4 + 7 * 8 + 1);  // the pose and reset_time: the request ended there
  EXPECT_TRUE(served.callWith<msgs::ResetWorldResponse>("sim/reset_world", bytes).success);
  EXPECT_EQ(served.host.current().ego.pose.x, 3);
  bytes.resize(bytes.size() - 1);
  EXPECT_FALSE(served.callWith<msgs::ResetWorldResponse>("sim/reset_world", bytes).success);
}

TEST(SimulationServices, SetEgoPoseTakesTheWholeTwistAndSaysWhatItCannotHold) {
  Served served;
  msgs::SetEgoPoseRequest request;
  request.pose.position.x = 20;
  request.pose.orientation.w = 1;
  request.twist.linear.x = 5;
  request.twist.angular.z = 0.2;
  EXPECT_TRUE(served.call<msgs::SetEgoPoseResponse>("sim/set_ego_pose", request).success);
  EXPECT_NEAR(served.host.current().ego.twist.wz, 0.2, 1e-9);
  request.twist.linear.y = 1;
  const auto response = served.call<msgs::SetEgoPoseResponse>("sim/set_ego_pose", request);
  EXPECT_TRUE(response.success);
  EXPECT_THAT(response.message, HasSubstr("vy"));
}

}  // namespace
}  // namespace gs_sim
