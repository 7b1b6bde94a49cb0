// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gs_sim/command_wait.hpp"
#include "gs_sim/driver.hpp"
#include "gs_sim/driving_seat.hpp"
#include "gs_sim/run_simulation.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_sim/step_queue.hpp"
#include "gs_sim/ticker.hpp"
#include "gs_sim/world_switcher.hpp"

namespace gs_sim {

// A run with somebody outside: stands between the loop of runSimulation() and any number of wires.
// It drives with the commands that arrive, or as the script says, publishes steps and does what
// services ask for.
class RunHost final : public SimulationHost {
 public:
  struct Options {
    LoadSimulation load = nullptr;  // null: no other world can be loaded
    Driver* script = nullptr;       // null: only the wires drive
    bool begins_again = false;      // at the end of the script's path
    Interface interface = Interface::Standard;
  };

  // `simulation` is replaced when a service loads another world.
  RunHost(LoadedSimulation& simulation, const Options& options);

  DrivingSeat& seat() { return seat_; }
  bool hasWires() const { return !wires().empty(); }
  // Whoever keeps what is published, as a recorder does.
  void onPublished(std::function<void(const PublishedStep&)> keep) { keep_ = std::move(keep); }
  bool hasQuit() const { return has_quit_; }  // somebody asked for the end of the run

  // For runSimulation() with seat(). `isInterrupted` is asked for Ctrl-C.
  RunHooks hooks(const std::function<bool()>& isInterrupted);

  WorldDescription describe() const override { return description_; }
  StepOutput current() const override { return simulator().current(); }
  bool isPaused() const override { return simulator().isPaused(); }
  void setPaused(bool is_paused) override;
  void step(uint64_t count, std::function<void(RequestResult)> done) override;
  RequestResult reset(const std::optional<EgoPose>& initial_pose, bool reset_time) override;
  RequestResult setEgoPose(const EgoPose& pose, const EgoTwist& twist) override;
  RequestResult loadWorld(const std::string& bundle_path) override;
  void setRealTimeFactor(double factor) override { real_time_factor_ = factor; }
  void quit() override { has_quit_ = true; }

 private:
  Simulator& simulator() const { return simulation_.simulator; }
  Heard awaitCommand(const StepInfo& last);
  void beginAgainAtTheEnd();
  void publish(const std::shared_ptr<const StepOutput>& step);
  bool waitWhilePaused(const std::function<bool()>& isInterrupted);
  void publishStatus();

  LoadedSimulation& simulation_;
  Driver* const script_;
  const std::shared_ptr<AutowareVehicle> autoware_;  // null: its interface is not spoken
  WorldDescription description_;
  std::function<void(const PublishedStep&)> keep_;
  const bool begins_again_;
  WorldSwitcher switcher_;
  DrivingSeat seat_;
  StepQueue steps_;
  Ticker paused_status_;
  std::optional<std::string> told_driver_;
  double real_time_factor_;
  bool has_quit_ = false;
};

}  // namespace gs_sim
