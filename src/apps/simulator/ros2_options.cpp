// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/ros2_options.hpp"

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs_ros2/environment.hpp"
#include "gs_sim/load_parameters.hpp"

namespace apps {
namespace {

// A YAML value as one line of text, the way --set takes it.
std::string toYamlText(const gs::Node& value) {
  using Kind = gs::Node::Kind;
  std::string text;
  switch (value.kind) {
    case Kind::Null: return "null";
    case Kind::Bool:
    case Kind::Number: return value.scalar;
    case Kind::String:
      for (const char c : value.scalar) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
      }
      return '"' + text + '"';
    case Kind::Sequence:
      for (const gs::Node& item : value.items)
        text += (text.empty() ? "" : ", ") + toYamlText(item);
      return '[' + text + ']';
    case Kind::Map: break;
  }
  for (const auto& [key, item] : value.entries)
    text += (text.empty() ? "" : ", ") + key + ": " + toYamlText(item);
  return '{' + text + '}';
}

// Parameters that every rclcpp node has and that mean nothing here.
bool isOfRclcpp(const std::string& name) {
  return name.starts_with("qos_overrides.") || name == "start_type_description_service";
}

// Parameters of ROS have no null: a launch file says so that nobody chose a value. What a parameter
// file says then stays.
bool isUnset(const gs::Node& value) {
  return value.kind == gs::Node::Kind::String && value.scalar.empty();
}

}  // namespace

Ros2Options ros2OptionsFrom(const std::vector<std::string>& ros_arguments) {
  const gs_ros2::RosArgs args = gs_ros2::parseRosArgs(ros_arguments);
  for (const std::string& warning : args.warnings) gs::logger("ros2").warn(warning);
  Ros2Options options;
  options.log_level = args.log_level;
  options.bridge.wire = gs_ros2::wireSettingsFrom();
  options.bridge.standard_interfaces = gs_ros2::standardInterfacesFrom();
  options.bridge.remaps = args.remaps;
  options.bridge.log_to_rosout = args.log_to_rosout;
  if (args.log_level) options.bridge.rosout_level = *args.log_level;
  const gs_ros2::NodeName node =
      gs_ros2::resolveNodeName(options.bridge.node, options.bridge.remaps);
  auto overrides = gs_ros2::overridesFor(args, node);
  gs_ros2::takeBridgeParameters(overrides, options.bridge);
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : overrides)
    if (!isOfRclcpp(name) && !isUnset(value)) values.emplace_back(name, toYamlText(value));
  options.assignments = gs_sim::assignmentsFrom(values);
  return options;
}

}  // namespace apps
