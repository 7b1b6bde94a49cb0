// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/bridge_parameters.hpp"

#include "gs/core/error.hpp"

namespace gs_ros2 {
namespace {

constexpr double kMaxLockStepTimeout = 3600;

std::string reliabilityWord(bool is_reliable) { return is_reliable ? "reliable" : "best_effort"; }

}  // namespace

void declareBridgeParameters(gs_sim::ParameterStore& store, LockStep& lock_step,
                             bool wants_reliable_control) {
  store.declare("ros2.lock_step", {.value = lock_step.is_on,
                                   .description = "every step waits for its command",
                                   .change = [&lock_step](const gs_sim::ParameterValue& value) {
                                     lock_step.is_on = std::get<bool>(value);
                                     return std::string();
                                   }});
  store.declare("ros2.lock_step_timeout_sec",
                {.value = lock_step.timeout_sec,
                 .description = "s of real time that a step waits for a controller that is there",
                 .change =
                     [&lock_step](const gs_sim::ParameterValue& value) {
                       lock_step.timeout_sec = std::get<double>(value);
                       return std::string();
                     },
                 .range = gs_sim::ParameterRange{0, kMaxLockStepTimeout}});
  store.declare("ros2.control_reliability",
                {.value = reliabilityWord(wants_reliable_control),
                 .description = "best_effort: commands of best-effort publishers arrive too"});
  // The node is where simulated time comes from; others follow it, it has nothing to follow.
  store.declare("use_sim_time", {.value = false,
                                 .description = "accepted, without effect: this is the clock",
                                 .change = [](const auto&) { return std::string(); }});
}

void takeBridgeParameters(std::vector<std::pair<std::string, gs::Node>>& overrides,
                          BridgeSettings& settings) {
  const auto wrong = [](const std::string& name, const char* expected) {
    return gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                      .component = "ros2",
                      .message = "parameter '" + name + "' should be " + expected,
                      .details = {{"parameter", name}},
                      .suggestion = "Correct it after -p or in the parameter file."});
  };
  std::erase_if(overrides, [&](const auto& entry) {
    const auto& [name, value] = entry;
    if (name == "ros2.lock_step") {
      const auto on = value.findBool();
      if (!on) throw wrong(name, "true or false");
      settings.lock_step.is_on = *on;
    } else if (name == "ros2.lock_step_timeout_sec") {
      const auto seconds = value.findDouble();
      if (!seconds || !(*seconds >= 0 && *seconds <= kMaxLockStepTimeout))
        throw wrong(name, "a number of seconds from 0 to 3600");
      settings.lock_step.timeout_sec = *seconds;
    } else if (name == "ros2.control_reliability") {
      const auto word = value.findString();
      if (word != "reliable" && word != "best_effort") throw wrong(name, "reliable or best_effort");
      settings.wants_reliable_control = word == "reliable";
    } else {
      return name == "use_sim_time";
    }
    return true;
  });
}

}  // namespace gs_ros2
