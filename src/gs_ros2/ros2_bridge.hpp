// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/log.hpp"
#include "gs_ros2/environment.hpp"
#include "gs_ros2/lock_step.hpp"
#include "gs_ros2/names.hpp"
#include "gs_ros2/wire.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_sim/types.hpp"

namespace gs_ros2 {

struct BridgeSettings {
  WireSettings wire;
  NodeName node = {.ns = "/", .name = "gs_simulator"};
  std::vector<Remap> remaps;
  bool log_to_rosout = true;
  gs::LogLevel rosout_level = gs::LogLevel::Info;  // as ROS nodes have it
  // Off: commands of best-effort publishers arrive too, and may be lost.
  bool wants_reliable_control = true;
  LockStep lock_step;
  StandardInterfaces standard_interfaces = StandardInterfaces::V2;
  std::function<bool()> is_interrupted;  // asked while a step waits for its command; may be empty
};

// Takes "ros2.lock_step", "ros2.lock_step_timeout_sec" and "ros2.control_reliability" out of the
// overrides, and "use_sim_time", which every node accepts. Throws gs::Error for wrong types.
void takeBridgeParameters(std::vector<std::pair<std::string, gs::Node>>& overrides,
                          BridgeSettings& settings);

// The simulator as a ROS 2 node: publishes steps, receives commands, answers services.
//
// All functions belong to the loop's thread. Publishing hands the step over and returns; encoding
// and sending happen on other threads.
class Ros2Bridge : public gs_sim::SimulationWire {
 public:
  // The parameters of the host are shown to `ros2 param`. Throws gs::Error when the node cannot be
  // created.
  Ros2Bridge(const BridgeSettings& settings, const gs_sim::SimulationParameters& parameters,
             gs_sim::SimulationHost& host);
  ~Ros2Bridge() override;

  std::string name() const override { return "ros2"; }
  bool overrulesScript() const override { return false; }

  void publish(const gs_sim::PublishedStep& step) override;
  void publishStatus(const gs_sim::PublishedStep& now) override;

  // In lock-step it waits for the command that answers `last`, answering requests meanwhile: the
  // first one with its stamp, however many come. Whoever joins is shown the step again.
  std::optional<gs_sim::ControlInput> nextControl(const gs_sim::StepInfo& last) override;
  bool wasInterrupted() const override;

  void forgetThePast() override;
  void useNewWorld() override;
  void tellParameters(const std::vector<gs_sim::Parameter>& changed) override;

  // Does what services asked for since the last call.
  void handleRequests();
  // As handleRequests(), but waits until somebody asks or the time is up: for a paused loop.
  void handleRequestsUntil(std::chrono::steady_clock::time_point deadline);
  // From any thread: ends such a wait.
  void wake();

  struct Statistics {
    uint64_t lost_messages = 0;  // that some reader never got
    uint64_t garbage = 0;        // messages that could not be decoded
    uint64_t lock_step_timeouts = 0;
  };
  Statistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs_ros2
