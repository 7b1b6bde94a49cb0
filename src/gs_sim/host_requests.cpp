// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/host_requests.hpp"

#include <utility>

namespace gs_sim {

RequestResult pause(SimulationHost& host) {
  const bool was = host.isPaused();
  host.setPaused(true);
  return {true, was ? "was paused already" : "paused"};
}

RequestResult resume(SimulationHost& host) {
  const bool was = host.isPaused();
  host.setPaused(false);
  return {true, was ? "running" : "was running already"};
}

void step(SimulationHost& host, uint64_t count, Answered done) {
  if (!host.isPaused()) return done({false, "the simulation runs: pause it first, then step"});
  host.step(count, std::move(done));
}

RequestResult reset(SimulationHost& host, const std::optional<EgoPose>& pose, bool reset_time) {
  RequestResult result = host.reset(pose, reset_time);
  if (result.success) host.announceJump();
  return result;
}

RequestResult setEgoPose(SimulationHost& host, const EgoPose& pose, const EgoTwist& twist) {
  RequestResult result = host.setEgoPose(pose, twist);
  if (result.success) host.announceJump();
  return result;
}

RequestResult loadWorld(SimulationHost& host, const std::string& bundle_path) {
  RequestResult result = host.loadWorld(bundle_path);
  if (result.success) host.announceNewWorld();
  return result;
}

}  // namespace gs_sim
