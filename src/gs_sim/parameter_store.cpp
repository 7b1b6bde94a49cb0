// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/parameter_store.hpp"

#include <algorithm>
#include <cmath>

namespace gs_sim {
namespace {

// In the order of ParameterValue.
constexpr const char* kKindWords[] = {"not set",      "bool",        "integer",    "double",
                                      "string",       "byte array",  "bool array", "integer array",
                                      "double array", "string array"};
static_assert(std::size(kKindWords) == std::variant_size_v<ParameterValue>);

std::string kindOf(const ParameterValue& value) { return kKindWords[value.index()]; }

template <typename T, typename Find>
std::optional<ParameterValue> listOf(const std::vector<gs::Node>& items, Find find) {
  std::vector<T> values;
  for (const gs::Node& item : items) {
    const auto value = find(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

bool isWholeNumber(const gs::Node& number) {
  return number.scalar.find_first_of(".eE") == std::string::npos;
}

std::optional<ParameterValue> toListParameter(const std::vector<gs::Node>& items) {
  using Kind = gs::Node::Kind;
  const auto are = [&](Kind kind) {
    return std::all_of(items.begin(), items.end(),
                       [kind](const gs::Node& item) { return item.kind == kind; });
  };
  if (are(Kind::Bool))
    return listOf<bool>(items, [](const gs::Node& item) { return item.findBool(); });
  if (are(Kind::Number) && std::all_of(items.begin(), items.end(), isWholeNumber))
    return listOf<int64_t>(items, [](const gs::Node& item) { return item.findInteger(); });
  if (are(Kind::Number))
    return listOf<double>(items, [](const gs::Node& item) { return item.findDouble(); });
  if (are(Kind::String))
    return listOf<std::string>(items, [](const gs::Node& item) { return item.findString(); });
  return std::nullopt;
}

bool hasDepth(const std::string& name, size_t from, uint64_t depth) {
  return depth == 0 || static_cast<uint64_t>(std::count(name.begin() + static_cast<long>(from),
                                                        name.end(), '.')) < depth;
}

// rclcpp's rule: no prefixes means all; a prefix asks for the parameter of that name and for those
// below it, `depth` levels deep.
bool isListed(const std::string& name, const std::vector<std::string>& prefixes, uint64_t depth) {
  if (prefixes.empty()) return hasDepth(name, 0, depth);
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
    if (name == prefix) return true;
    return name.starts_with(prefix + ".") && hasDepth(name, prefix.size() + 1, depth);
  });
}

}  // namespace

std::optional<ParameterValue> toParameter(const gs::Node& yaml) {
  using Kind = gs::Node::Kind;
  switch (yaml.kind) {
    case Kind::Bool: return *yaml.findBool();
    case Kind::String: return yaml.scalar;
    case Kind::Number:
      if (const auto integer = yaml.findInteger(); integer && isWholeNumber(yaml)) return *integer;
      if (const auto number = yaml.findDouble()) return *number;
      return yaml.scalar;
    case Kind::Sequence: return toListParameter(yaml.items);
    case Kind::Null:
    case Kind::Map: break;
  }
  return std::nullopt;
}

void ParameterStore::declare(const std::string& name, DeclaredParameter parameter) {
  parameters_[name] = std::move(parameter);
}

std::vector<Parameter> ParameterStore::takeOverFixed(const ParameterStore& other) {
  std::vector<Parameter> changed;
  for (const auto& [name, parameter] : other.parameters_) {
    const auto own = parameters_.find(name);
    if (own == parameters_.end() || own->second.change || own->second.value == parameter.value)
      continue;
    own->second.value = parameter.value;
    changed.push_back({name, parameter.value});
  }
  return changed;
}

const DeclaredParameter* ParameterStore::find(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

ParameterValue ParameterStore::get(const std::string& name) const {
  const DeclaredParameter* found = find(name);
  return found == nullptr ? ParameterValue() : found->value;
}

std::vector<Parameter> ParameterStore::all() const {
  std::vector<Parameter> all;
  for (const auto& [name, parameter] : parameters_) all.push_back({name, parameter.value});
  return all;
}

std::vector<std::string> ParameterStore::names(const std::vector<std::string>& prefixes,
                                               uint64_t depth) const {
  std::vector<std::string> names;
  for (const auto& [name, parameter] : parameters_)
    if (isListed(name, prefixes, depth)) names.push_back(name);
  return names;
}

std::string ParameterStore::problemWith(const Parameter& wish) const {
  const DeclaredParameter* known = find(wish.name);
  if (known == nullptr) return "parameter '" + wish.name + "' was not declared";
  if (!known->change)
    return "parameter '" + wish.name + "' cannot be changed while the simulator runs";
  if (wish.value.index() != known->value.index())
    return "parameter '" + wish.name + "' is of type " + kindOf(known->value) + ", not " +
           kindOf(wish.value);
  const double* number = std::get_if<double>(&wish.value);
  if (known->range && number != nullptr &&
      !(*number >= known->range->from && *number <= known->range->to))
    return "parameter '" + wish.name + "' must be from " + std::to_string(known->range->from) +
           " to " + std::to_string(known->range->to);
  return "";
}

std::string ParameterStore::set(const Parameter& wish, std::vector<Parameter>& changed) {
  std::string problem = problemWith(wish);
  if (problem.empty()) problem = parameters_[wish.name].change(wish.value);
  if (!problem.empty()) return problem;
  parameters_[wish.name].value = wish.value;
  changed.push_back(wish);
  return "";
}

std::string ParameterStore::setAtomically(const std::vector<Parameter>& wishes,
                                          std::vector<Parameter>& changed) {
  for (const Parameter& wish : wishes)
    if (std::string problem = problemWith(wish); !problem.empty()) return problem;
  // A handler may still refuse; then what was taken over before goes back.
  std::vector<Parameter> done;
  for (const Parameter& wish : wishes) {
    const Parameter before{wish.name, parameters_[wish.name].value};
    if (std::string problem = set(wish, changed); !problem.empty()) {
      std::vector<Parameter> ignored;
      for (auto old = done.rbegin(); old != done.rend(); ++old) set(*old, ignored);
      changed.clear();
      return problem;
    }
    done.push_back(before);
  }
  return "";
}

}  // namespace gs_sim
