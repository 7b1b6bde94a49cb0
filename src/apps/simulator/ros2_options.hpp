// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs_ros2/ros2_bridge.hpp"
#include "gs_ros2/ros_args.hpp"

namespace apps {

// What follows --ros-args, made ready: parameters of the simulation as assignments for --set, the
// rest as settings of the bridge. Throws gs::Error.
struct Ros2Options {
  gs_ros2::BridgeSettings bridge;
  std::vector<std::string> assignments;  // "simulation.real_time_factor=0.5"
  std::optional<gs::LogLevel> log_level;
};
Ros2Options ros2OptionsFrom(const std::vector<std::string>& ros_arguments);

}  // namespace apps
