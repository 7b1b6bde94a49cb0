// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros_args.hpp"

#include <algorithm>
#include <cctype>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"

namespace gs_ros2 {
namespace {

gs::Error usageError(const std::string& message) {
  return gs::Error({.code = gs::ErrorCode::UsageError,
                    .component = "ros_args",
                    .message = message,
                    .suggestion = "Write, for example: --ros-args -r odom:=/ego/odom "
                                  "-p simulation.real_time_factor:=0.5 --log-level debug"});
}

std::pair<std::string, std::string> splitRule(const std::string& rule, const std::string& option) {
  const size_t at = rule.find(":=");
  if (at == std::string::npos || at == 0)
    throw usageError(option + " '" + rule + "' is not of the form from:=to");
  return {rule.substr(0, at), rule.substr(at + 2)};
}

// "node:rest" -> both; a colon is no part of any name.
std::pair<std::string, std::string> splitNode(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Remap parseRemap(const std::string& rule) {
  const auto [left, to] = splitRule(rule, "remap");
  if (to.empty()) throw usageError("remap '" + rule + "' has nothing behind ':='");
  auto [node, from] = splitNode(left);
  // rostopic:// and rosservice:// say which kind is meant; names of both kinds differ here anyway.
  for (const std::string scheme : {"rostopic", "rosservice"})
    if (node == scheme && from.starts_with("//")) return {"", from.substr(2), to};
  return {node, from, to};
}

ParameterOverride parseParameter(const std::string& rule) {
  const auto [left, text] = splitRule(rule, "parameter");
  auto [node, name] = splitNode(left);
  std::vector<gs::Problem> problems;
  auto value = gs::parseDocument(text, gs::DocumentFormat::Yaml, problems);
  if (!value || !problems.empty())
    throw usageError("the value of parameter '" + name + "' is not YAML: " + text);
  return {.node = node.empty() ? "" : "/**/" + node, .name = name, .value = std::move(*value)};
}

std::optional<gs::LogLevel> findLogLevel(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word == "debug") return gs::LogLevel::Debug;
  if (word == "info") return gs::LogLevel::Info;
  if (word == "warn" || word == "warning") return gs::LogLevel::Warn;
  if (word == "error" || word == "fatal") return gs::LogLevel::Error;
  if (word == "unset") return gs::LogLevel::Info;
  return std::nullopt;
}

gs::LogLevel parseLogLevel(const std::string& text) {
  const size_t at = text.find(":=");
  const auto level = findLogLevel(at == std::string::npos ? text : text.substr(at + 2));
  if (!level) throw usageError("'" + text + "' is no log level (debug, info, warn, error, fatal)");
  return *level;
}

// Nested maps become dotted names; lists and scalars are values.
void flatten(const gs::Node& map, const std::string& node, const std::string& prefix,
             std::vector<ParameterOverride>& out) {
  for (const auto& [key, value] : map.entries) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.kind == gs::Node::Kind::Map) flatten(value, node, name, out);
    else out.push_back({.node = node, .name = name, .value = value});
  }
}

void collect(const gs::Node& map, const std::string& path, const std::string& file,
             std::vector<ParameterOverride>& out) {
  for (const auto& [key, value] : map.entries) {
    const auto fail = [&](const std::string& what) {
      return gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                        .component = "ros_args",
                        .message = file + " line " + std::to_string(value.line) + ": " + what,
                        .details = {{"file", file}, {"line", value.line}},
                        .suggestion = "A parameter file has the form "
                                      "'/**: {ros__parameters: {name: value}}'."});
    };
    if (value.kind != gs::Node::Kind::Map) throw fail("'" + key + "' should be a map");
    if (key == "ros__parameters") {
      if (path.empty()) throw fail("'ros__parameters' must stand below the name of a node");
      flatten(value, path, "", out);
    } else {
      collect(value, path + (key.starts_with("/") ? "" : "/") + key, file, out);
    }
  }
}

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const size_t slash = name.find('/');
    if (slash != 0) parts.push_back(name.substr(0, slash));
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
  }
  return parts;
}

// Patterns come from the command line: the table keeps many `**` from taking for ever.
bool matches(const std::vector<std::string_view>& pattern,
             const std::vector<std::string_view>& name) {
  std::vector<std::vector<bool>> fits(pattern.size() + 1, std::vector<bool>(name.size() + 1));
  fits[pattern.size()][name.size()] = true;
  for (size_t p = pattern.size(); p-- > 0;)
    for (size_t n = name.size() + 1; n-- > 0;) {
      const bool has_part = n < name.size();
      if (pattern[p] == "**") fits[p][n] = fits[p + 1][n] || (has_part && fits[p][n + 1]);
      else
        fits[p][n] = has_part && (pattern[p] == "*" || pattern[p] == name[n]) && fits[p + 1][n + 1];
    }
  return fits[0][0];
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  RosArgs parse() {
    for (; at_ < arguments_.size(); ++at_)
      if (arguments_[at_] != "--ros-args") parseOne(arguments_[at_]);
    return std::move(result_);
  }

 private:
  const std::string& next(const std::string& option) {
    if (at_ + 1 >= arguments_.size()) throw usageError(option + " needs a value");
    return arguments_[++at_];
  }

  void parseOne(const std::string& option) {
    if (option == "-r" || option == "--remap") {
      result_.remaps.push_back(parseRemap(next(option)));
    } else if (option == "-p" || option == "--param") {
      result_.parameters.push_back(parseParameter(next(option)));
    } else if (option == "--params-file") {
      const std::string& path = next(option);
      for (auto& entry : parseParameterFile(gs::readTextFile(path, gs::kMaxYamlBytes), path))
        result_.parameters.push_back(std::move(entry));
    } else if (option == "--log-level") {
      result_.log_level = parseLogLevel(next(option));
    } else if (option == "--log-config-file" || option == "--log-file-name" || option == "-e" ||
               option == "--enclave") {
      result_.warnings.push_back(option + " " + next(option) + " has no effect here");
    } else if (option.starts_with("--enable-") || option.starts_with("--disable-")) {
      parseSwitch(option, option.starts_with("--enable-"));
    } else if (option.find(":=") != std::string::npos && !option.starts_with("-")) {
      result_.remaps.push_back(parseRemap(option));  // the old spelling, without -r
    } else {
      result_.warnings.push_back("'" + option + "' after --ros-args is unknown and ignored");
    }
  }

  void parseSwitch(const std::string& option, bool is_on) {
    const std::string what = option.substr(is_on ? 9 : 10);
    if (what == "rosout-logs") result_.log_to_rosout = is_on;
    else if (what == "stdout-logs") result_.log_to_stdout = is_on;
    else if (what != "external-lib-logs")
      result_.warnings.push_back("'" + option + "' after --ros-args is unknown and ignored");
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  RosArgs result_;
};

}  // namespace

SplitArguments splitRosArgs(const std::vector<std::string>& arguments) {
  SplitArguments parts;
  bool is_ros = false;
  for (const std::string& argument : arguments) {
    if (argument == "--ros-args") is_ros = true;
    else if (is_ros && argument == "--") is_ros = false;
    else (is_ros ? parts.ros : parts.own).push_back(argument);
  }
  return parts;
}

RosArgs parseRosArgs(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse();
}

std::vector<ParameterOverride> parseParameterFile(const std::string& text,
                                                  const std::string& name) {
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(text, gs::DocumentFormat::Yaml, problems);
  if (!root || !problems.empty() || root->kind != gs::Node::Kind::Map)
    throw gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                     .component = "ros_args",
                     .message = name + " is no parameter file" +
                                (problems.empty() ? "" : ": " + toString(problems.front())),
                     .details = {{"file", name}},
                     .suggestion = "A parameter file has the form "
                                   "'/**: {ros__parameters: {name: value}}'."});
  std::vector<ParameterOverride> entries;
  collect(*root, "", name, entries);
  return entries;
}

bool concernsNode(const std::string& pattern, const NodeName& node) {
  if (pattern.empty()) return true;
  const std::string full = node.full();
  return matches(partsOf(pattern), partsOf(full));
}

std::vector<std::pair<std::string, gs::Node>> overridesFor(const RosArgs& args,
                                                           const NodeName& node) {
  std::vector<std::pair<std::string, gs::Node>> result;
  for (const ParameterOverride& entry : args.parameters) {
    if (!concernsNode(entry.node, node)) continue;
    std::erase_if(result, [&](const auto& known) { return known.first == entry.name; });
    result.emplace_back(entry.name, entry.value);
  }
  return result;
}

}  // namespace gs_ros2
