// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_ros2/ros2_bridge.hpp"
#include "gs_ros2/ros_args.hpp"
#include "gs_ros2/simulation_host.hpp"
#include "gs_sim/driver.hpp"
#include "gs_sim/run_simulation.hpp"
#include "gs_sim/simulator.hpp"

// `gs-simulator run` as a ROS 2 node: between the loop of gs_sim and the bridge of gs_ros2.
namespace apps {

// What follows --ros-args, made ready: parameters of the simulation as assignments for --set, the
// rest as settings of the bridge. Throws gs::Error.
struct Ros2Options {
  gs_ros2::BridgeSettings bridge;
  std::vector<std::string> assignments;  // "simulation.real_time_factor=0.5"
  std::optional<gs::LogLevel> log_level;
};
Ros2Options ros2OptionsFrom(const std::vector<std::string>& ros_arguments);

// Drives with the commands that arrive, publishes steps and does what services ask for.
class Ros2Run : public gs_sim::Driver, private gs_ros2::SimulationHost {
 public:
  // A simulator for another world, with the same parameters. Throws gs::Error.
  using MakeSimulator = std::function<gs_sim::Simulator(const std::string& bundle_path)>;

  // `simulator` is replaced when a service loads another world; without `make` none can be loaded.
  Ros2Run(const gs_ros2::BridgeSettings& settings, gs_sim::Simulator& simulator,
          MakeSimulator make);
  ~Ros2Run() override;

  std::optional<gs_sim::ControlInput> commandAt(gs::Stamp stamp,
                                                const gs_sim::EgoState& ego) override;

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

  gs_ros2::WorldDescription describe() const override;
  gs_sim::StepOutput current() const override { return simulator_.current(); }
  bool isPaused() const override { return simulator_.isPaused(); }
  void setPaused(bool is_paused) override { simulator_.setPaused(is_paused); }
  void step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) override;
  gs_sim::RequestResult reset(const std::optional<gs_sim::EgoPose>& initial_pose,
                              bool reset_time) override;
  gs_sim::RequestResult setEgoPose(const gs_sim::EgoPose& pose,
                                   const gs_sim::EgoTwist& twist) override;
  gs_sim::RequestResult loadWorld(const std::string& bundle_path) override;
  void setRealTimeFactor(double factor) override { real_time_factor_ = factor; }
  void quit() override { has_quit_ = true; }

  gs_sim::Simulator& simulator_;
  MakeSimulator make_;
  double real_time_factor_;
  bool has_quit_ = false;
  std::vector<PendingSteps> steps_;  // in the order of asking
  std::unique_ptr<gs_ros2::Ros2Bridge> bridge_;
};

}  // namespace apps
