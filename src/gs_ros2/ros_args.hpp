// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/log.hpp"
#include "gs_ros2/names.hpp"

namespace gs_ros2 {

// A parameter given from outside, for the nodes that `node` names.
struct ParameterOverride {
  std::string node;  // "/**", "/ns/sim", "/*/sim"; empty: every node
  std::string name;  // "simulation.real_time_factor"
  gs::Node value;
};

// A program's own arguments, and those of the blocks that begin with `--ros-args` and end with
// `--`. Never fails; parseRosArgs() takes the second part.
struct SplitArguments {
  std::vector<std::string> own, ros;
};
SplitArguments splitRosArgs(const std::vector<std::string>& arguments);

// What stands between `--ros-args` and `--` (or the end), understood.
struct RosArgs {
  std::vector<Remap> remaps;
  std::vector<ParameterOverride> parameters;  // later ones win
  std::optional<gs::LogLevel> log_level;
  bool log_to_rosout = true;
  bool log_to_stdout = true;
  std::vector<std::string> warnings;  // arguments we do not know; rclcpp would stop here
};

// Throws gs::Error (USAGE_ERROR) for arguments that make no sense, and (INPUT_INVALID or
// CONFIG_INVALID) for a parameter file that cannot be read.
RosArgs parseRosArgs(const std::vector<std::string>& arguments);

// The entries of a parameter file; `name` is for messages.
std::vector<ParameterOverride> parseParameterFile(const std::string& text, const std::string& name);

// Whether an override's `node` means this node. `**` is any number of parts, `*` is one.
bool concernsNode(const std::string& pattern, const NodeName& node);

// Those that concern the node, each name once, with its last value.
std::vector<std::pair<std::string, gs::Node>> overridesFor(const RosArgs& args,
                                                           const NodeName& node);

}  // namespace gs_ros2
