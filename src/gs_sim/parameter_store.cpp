// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/parameter_store.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;
using Type = msgs::ParameterType;

constexpr const char* kTypeWords[] = {"not set",      "bool",        "integer",    "double",
                                      "string",       "byte array",  "bool array", "integer array",
                                      "double array", "string array"};

std::string wordOf(uint8_t type) {
  return type < std::size(kTypeWords) ? kTypeWords[type] : "unknown";
}

template <typename T, typename Find>
std::optional<std::vector<T>> allOf(const std::vector<gs::Node>& items, Find find) {
  std::vector<T> values;
  for (const gs::Node& item : items) {
    const auto value = find(item);
    if (!value) return std::nullopt;
    values.push_back(static_cast<T>(*value));
  }
  return values;
}

bool hasDepth(const std::string& name, size_t from, uint64_t depth) {
  return depth == 0 || static_cast<uint64_t>(std::count(name.begin() + static_cast<long>(from),
                                                        name.end(), '.')) < depth;
}

// rclcpp's rule: no prefixes means all; a prefix asks for the parameter of that name and for those
// below it, `depth` levels deep.
bool isListed(const std::string& name, const msgs::ListParametersRequest& request) {
  if (request.prefixes.empty()) return hasDepth(name, 0, request.depth);
  return std::any_of(
      request.prefixes.begin(), request.prefixes.end(), [&](const std::string& prefix) {
        if (name == prefix) return true;
        return name.starts_with(prefix + ".") && hasDepth(name, prefix.size() + 1, request.depth);
      });
}

}  // namespace

msgs::ParameterValue toParameter(bool value) {
  return {.type = Type::kParameterBool, .bool_value = value};
}
msgs::ParameterValue toParameter(int64_t value) {
  return {.type = Type::kParameterInteger, .integer_value = value};
}
msgs::ParameterValue toParameter(double value) {
  return {.type = Type::kParameterDouble, .double_value = value};
}
msgs::ParameterValue toParameter(const std::string& value) {
  return {.type = Type::kParameterString, .string_value = value};
}
msgs::ParameterValue toParameter(const std::vector<std::string>& value) {
  return {.type = Type::kParameterStringArray, .string_array_value = value};
}

std::optional<msgs::ParameterValue> toParameter(const gs::Node& yaml) {
  using Kind = gs::Node::Kind;
  switch (yaml.kind) {
    case Kind::Bool: return toParameter(*yaml.findBool());
    case Kind::String: return toParameter(yaml.scalar);
    case Kind::Number:
      if (const auto integer = yaml.findInteger();
          integer && yaml.scalar.find_first_of(".eE") == std::string::npos)
        return toParameter(*integer);
      if (const auto number = yaml.findDouble()) return toParameter(*number);
      return toParameter(yaml.scalar);
    case Kind::Sequence: break;
    case Kind::Null:
    case Kind::Map: return std::nullopt;
  }
  const auto& items = yaml.items;
  const auto are = [&](Kind kind) {
    return std::all_of(items.begin(), items.end(),
                       [kind](const gs::Node& item) { return item.kind == kind; });
  };
  msgs::ParameterValue value;
  if (are(Kind::Bool)) {
    value.type = Type::kParameterBoolArray;
    for (const gs::Node& item : items) value.bool_array_value.push_back(*item.findBool());
  } else if (are(Kind::Number)) {
    const auto is_integer = [](const gs::Node& item) {
      return item.scalar.find_first_of(".eE") == std::string::npos;
    };
    if (std::all_of(items.begin(), items.end(), is_integer)) {
      const auto integers =
          allOf<int64_t>(items, [](const gs::Node& item) { return item.findInteger(); });
      if (!integers) return std::nullopt;
      value.type = Type::kParameterIntegerArray;
      value.integer_array_value = *integers;
    } else {
      const auto numbers =
          allOf<double>(items, [](const gs::Node& item) { return item.findDouble(); });
      if (!numbers) return std::nullopt;
      value.type = Type::kParameterDoubleArray;
      value.double_array_value = *numbers;
    }
  } else if (are(Kind::String)) {
    value.type = Type::kParameterStringArray;
    for (const gs::Node& item : items) value.string_array_value.push_back(item.scalar);
  } else {
    return std::nullopt;
  }
  return value;
}

void ParameterStore::declare(const std::string& name, DeclaredParameter parameter) {
  parameters_[name] = std::move(parameter);
}

std::vector<msgs::Parameter> ParameterStore::takeOverFixed(const ParameterStore& other) {
  std::vector<msgs::Parameter> changed;
  for (const auto& [name, parameter] : other.parameters_) {
    const auto own = parameters_.find(name);
    if (own == parameters_.end() || own->second.change || own->second.value == parameter.value)
      continue;
    own->second.value = parameter.value;
    changed.push_back({name, parameter.value});
  }
  return changed;
}

msgs::GetParametersResponse ParameterStore::get(const msgs::GetParametersRequest& request) const {
  msgs::GetParametersResponse response;
  for (const std::string& name : request.names) {
    const auto found = parameters_.find(name);
    response.values.push_back(found == parameters_.end() ? msgs::ParameterValue()
                                                         : found->second.value);
  }
  return response;
}

msgs::GetParameterTypesResponse ParameterStore::types(
    const msgs::GetParameterTypesRequest& request) const {
  msgs::GetParameterTypesResponse response;
  for (const auto& value : get({.names = request.names}).values)
    response.types.push_back(value.type);
  return response;
}

msgs::ListParametersResponse ParameterStore::list(
    const msgs::ListParametersRequest& request) const {
  msgs::ListParametersResponse response;
  std::set<std::string> parents;
  for (const auto& [name, parameter] : parameters_) {
    if (!isListed(name, request)) continue;
    response.result.names.push_back(name);
    if (const size_t dot = name.rfind('.'); dot != std::string::npos)
      parents.insert(name.substr(0, dot));
  }
  response.result.prefixes.assign(parents.begin(), parents.end());
  return response;
}

msgs::DescribeParametersResponse ParameterStore::describe(
    const msgs::DescribeParametersRequest& request) const {
  msgs::DescribeParametersResponse response;
  for (const std::string& name : request.names) {
    auto& descriptor = response.descriptors.emplace_back();
    descriptor.name = name;
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) continue;
    descriptor.type = found->second.value.type;
    descriptor.description = found->second.description;
    descriptor.read_only = !found->second.change;
    if (found->second.range) descriptor.floating_point_range.push_back(*found->second.range);
  }
  return response;
}

std::string ParameterStore::problemWith(const msgs::Parameter& wish) const {
  const auto found = parameters_.find(wish.name);
  if (found == parameters_.end()) return "parameter '" + wish.name + "' was not declared";
  const DeclaredParameter& known = found->second;
  if (!known.change)
    return "parameter '" + wish.name + "' cannot be changed while the simulator runs";
  if (wish.value.type != known.value.type)
    return "parameter '" + wish.name + "' is of type " + wordOf(known.value.type) + ", not " +
           wordOf(wish.value.type);
  if (known.range && !(wish.value.double_value >= known.range->from_value &&
                       wish.value.double_value <= known.range->to_value))
    return "parameter '" + wish.name + "' must be from " + std::to_string(known.range->from_value) +
           " to " + std::to_string(known.range->to_value);
  return "";
}

msgs::SetParametersResult ParameterStore::apply(const msgs::Parameter& wish,
                                                std::vector<msgs::Parameter>& changed) {
  std::string reason = problemWith(wish);
  if (reason.empty()) reason = parameters_[wish.name].change(wish.value);
  if (!reason.empty()) return {.successful = false, .reason = reason};
  parameters_[wish.name].value = wish.value;
  changed.push_back(wish);
  return {.successful = true, .reason = ""};
}

msgs::SetParametersResponse ParameterStore::set(const msgs::SetParametersRequest& request,
                                                std::vector<msgs::Parameter>& changed) {
  msgs::SetParametersResponse response;
  for (const msgs::Parameter& wish : request.parameters)
    response.results.push_back(apply(wish, changed));
  return response;
}

msgs::SetParametersAtomicallyResponse ParameterStore::setAtomically(
    const msgs::SetParametersAtomicallyRequest& request, std::vector<msgs::Parameter>& changed) {
  for (const msgs::Parameter& wish : request.parameters)
    if (std::string reason = problemWith(wish); !reason.empty())
      return {.result = {.successful = false, .reason = reason}};
  // A handler may still refuse; then what was taken over before goes back.
  std::vector<msgs::Parameter> done;
  for (const msgs::Parameter& wish : request.parameters) {
    const msgs::Parameter before{wish.name, parameters_[wish.name].value};
    const auto result = apply(wish, changed);
    if (!result.successful) {
      for (auto old = done.rbegin(); old != done.rend(); ++old) {
        std::vector<msgs::Parameter> ignored;
        apply(*old, ignored);
      }
      changed.clear();
      return {.result = result};
    }
    done.push_back(before);
  }
  return {.result = {.successful = true, .reason = ""}};
}

std::vector<msgs::Parameter> ParameterStore::all() const {
  std::vector<msgs::Parameter> all;
  for (const auto& [name, parameter] : parameters_) all.push_back({name, parameter.value});
  return all;
}

}  // namespace gs_sim
