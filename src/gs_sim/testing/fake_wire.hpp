// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gs_sim/simulation_host.hpp"

namespace gs_sim::testing {

// A wire that remembers what it was told and says what it is given.
class FakeWire : public SimulationWire {
 public:
  explicit FakeWire(std::string name = "fake", bool overrules_script = true)
      : name_(std::move(name)), overrules_script_(overrules_script) {}

  std::string name() const override { return name_; }
  bool overrulesScript() const override { return overrules_script_; }
  void publish(const PublishedStep& step) override { steps.push_back(step.step); }
  void publishStatus(const PublishedStep& now) override { statuses.push_back(now.step); }
  std::optional<ControlInput> nextControl(const StepInfo& last) override {
    asked_after.push_back(last);
    return std::exchange(control, std::nullopt);
  }
  bool wasInterrupted() const override { return is_interrupted; }
  void forgetThePast() override { ++jumps; }
  void useNewWorld() override { ++worlds; }
  void tellParameters(const std::vector<Parameter>& changed) override {
    parameters.insert(parameters.end(), changed.begin(), changed.end());
  }
  void tellDriver(const std::string& driver) override { drivers.push_back(driver); }

  std::optional<ControlInput> control;  // for the next step
  bool is_interrupted = false;

  std::vector<std::shared_ptr<const StepOutput>> steps, statuses;
  std::vector<StepInfo> asked_after;
  std::vector<Parameter> parameters;
  std::vector<std::string> drivers;
  int jumps = 0, worlds = 0;

 private:
  const std::string name_;
  const bool overrules_script_;
};

}  // namespace gs_sim::testing
