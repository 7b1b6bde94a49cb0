// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_ros2/ros2_bridge.hpp"
#include "gs_sim/driver.hpp"
#include "gs_sim/driving_seat.hpp"
#include "gs_sim/run_simulation.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_sim/simulator.hpp"
#include "gs_web/web_bridge.hpp"

// `gs-simulator run` with somebody outside: between the loop of gs_sim and its wires, ROS 2 and the
// browser.
namespace apps {

struct LoadedSimulation {
  std::shared_ptr<const gs_sim::WorldData> world;
  gs_sim::Simulator simulator;
};

// Drives with the commands that arrive, or as the script says; publishes steps and does what
// services ask for.
class HostedRun : public gs_sim::Driver, private gs_sim::SimulationHost {
 public:
  // A simulation of another world, with the same parameters. Throws gs::Error.
  using Load = std::function<LoadedSimulation(const std::string& bundle_path)>;
  struct Options {
    Load load = nullptr;               // null: no other world can be loaded
    gs_sim::Driver* script = nullptr;  // null: only the wires drive
    bool begins_again = false;         // at the end of the script's path
  };

  // `simulation` is replaced when a service loads another world.
  HostedRun(LoadedSimulation& simulation, const Options& options);
  ~HostedRun() override;

  // Throw gs::Error when a wire cannot be opened.
  void openRos2(gs_ros2::BridgeSettings settings);
  void openWeb(const gs_web::WebSettings& settings);
  const gs_web::WebBridge* web() const { return web_.get(); }
  bool hasWires() const { return ros2_ || web_; }

  std::optional<gs_sim::ControlInput> commandAt(gs::Stamp stamp,
                                                const gs_sim::EgoState& ego) override;
  bool wasInterrupted() const override { return ros2_ && ros2_->wasInterrupted(); }
  bool hasArrived() const override;
  std::optional<gs::Duration> duration() const override;

  // For gs_sim::RunHooks.
  void publish(const std::shared_ptr<const gs_sim::StepOutput>& step);
  bool waitWhilePaused(const std::function<bool()>& isInterrupted);
  bool handleRequests();  // true when somebody asked to quit
  double realTimeFactor() const { return real_time_factor_; }

 private:
  struct PendingSteps {
    uint64_t left = 0;
    std::function<void(gs_sim::RequestResult)> done;
  };

  gs_sim::WorldDescription describe() const override;
  gs_sim::StepOutput current() const override { return simulator().current(); }
  bool isPaused() const override { return simulator().isPaused(); }
  void setPaused(bool is_paused) override;
  void step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) override;
  gs_sim::RequestResult reset(const std::optional<gs_sim::EgoPose>& initial_pose,
                              bool reset_time) override;
  gs_sim::RequestResult setEgoPose(const gs_sim::EgoPose& pose,
                                   const gs_sim::EgoTwist& twist) override;
  gs_sim::RequestResult loadWorld(const std::string& bundle_path) override;
  void setRealTimeFactor(double factor) override { real_time_factor_ = factor; }
  void quit() override { has_quit_ = true; }

  gs_sim::Simulator& simulator() const { return simulation_.simulator; }
  std::optional<gs_sim::DrivingSeat::WireCommand> wireCommand(const gs_sim::StepInfo& last);
  void beginAgainAtTheEnd();

  LoadedSimulation& simulation_;
  const Options options_;
  gs_sim::DrivingSeat seat_;
  std::optional<gs_sim::WhoDrives> told_driver_;
  double real_time_factor_;
  bool has_quit_ = false;
  std::vector<PendingSteps> steps_;  // in the order of asking
  std::unique_ptr<gs_ros2::Ros2Bridge> ros2_;
  std::unique_ptr<gs_web::WebBridge> web_;
};

}  // namespace apps
