// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_sim/parameter_store.hpp"
#include "gs_sim/simulator.hpp"
#include "gs_sim/to_messages.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/work_queue.hpp"
#include "gs_sim/world_description.hpp"

namespace gs_sim {

// One way to talk to a running simulation: ROS 2, a browser. All calls come from the loop's thread,
// between two steps, and return at once: encoding and sending happen elsewhere.
class SimulationWire {
 public:
  virtual ~SimulationWire() = default;

  // For whoever asks who drives: "ros2", "browser".
  virtual std::string name() const = 0;
  // Whether a command over this wire takes the wheel from a script. False where somebody publishes
  // all the time: the script would never drive.
  virtual bool overrulesScript() const = 0;

  virtual void publish(const PublishedStep& step) = 0;
  // While nothing moves, ten times a second of real time: where things stand, the status alone.
  virtual void publishStatus(const PublishedStep& now) = 0;
  // The command for the step after `last`, if one has come. May wait where the wire is asked to.
  virtual std::optional<ControlInput> nextControl(const StepInfo& last) = 0;
  // The last nextControl() waited and gave up, since the run is to pause or to end.
  virtual bool wasInterrupted() const { return false; }

  // After somebody's request, of this wire or another:
  virtual void forgetThePast() = 0;  // time or place were set
  virtual void useNewWorld() = 0;    // the sensors may be others now
  virtual void tellParameters(const std::vector<Parameter>& changed) = 0;
  virtual void tellDriver(const std::string& driver) { static_cast<void>(driver); }
};

// Whoever runs the loop, as its wires see it. Requests of peers are posted to work() and are done
// by the loop's own thread between two steps; only there may the rest be called.
class SimulationHost {
 public:
  virtual ~SimulationHost() = default;

  virtual WorldDescription describe() const = 0;
  virtual StepOutput current() const = 0;
  virtual bool isPaused() const = 0;

  virtual void setPaused(bool is_paused) = 0;
  // Only while paused. `done` is called after the last of the steps was published.
  virtual void step(uint64_t count, std::function<void(RequestResult)> done) = 0;
  virtual RequestResult reset(const std::optional<EgoPose>& initial_pose, bool reset_time) = 0;
  virtual RequestResult setEgoPose(const EgoPose& pose, const EgoTwist& twist) = 0;
  // On failure the world before stays.
  virtual RequestResult loadWorld(const std::string& bundle_path) = 0;
  virtual void setRealTimeFactor(double factor) = 0;
  virtual void quit() = 0;

  WorkQueue& work() { return work_; }
  ParameterStore& parameters() { return parameters_; }

  void attach(SimulationWire& wire) { wires_.push_back(&wire); }
  void detach(SimulationWire& wire) { std::erase(wires_, &wire); }
  // Every wire learns what the request of one has done.
  void announceJump() const {
    for (SimulationWire* wire : wires_) wire->forgetThePast();
  }
  void announceNewWorld() const {
    for (SimulationWire* wire : wires_) wire->useNewWorld();
  }
  void announceParameters(const std::vector<Parameter>& changed) const {
    if (changed.empty()) return;
    for (SimulationWire* wire : wires_) wire->tellParameters(changed);
  }

 protected:
  const std::vector<SimulationWire*>& wires() const { return wires_; }

 private:
  WorkQueue work_;
  ParameterStore parameters_;
  std::vector<SimulationWire*> wires_;
};

constexpr double kMaxRealTimeFactor = 1000;

// All parameters of a simulation, as they act in its world; simulation.real_time_factor may be
// changed while it runs.
void declareParameters(SimulationHost& host, const SimulationParameters& effective);
// Another world was loaded: every wire learns which of them have other values now.
void updateParameters(SimulationHost& host, const SimulationParameters& effective);

}  // namespace gs_sim
