// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"
#include "gs/msgs/rcl_interfaces.hpp"

// The parameters of a node, and what the six parameter services answer about them. No wire.
namespace gs_sim {

gs::msgs::ParameterValue toParameter(bool value);
gs::msgs::ParameterValue toParameter(int64_t value);
gs::msgs::ParameterValue toParameter(double value);
gs::msgs::ParameterValue toParameter(const std::string& value);
gs::msgs::ParameterValue toParameter(const std::vector<std::string>& value);
// As ROS reads YAML: true, 1, 1.0, text, lists of one kind. Nothing for maps and mixed lists.
std::optional<gs::msgs::ParameterValue> toParameter(const gs::Node& yaml);

struct DeclaredParameter {
  gs::msgs::ParameterValue value;
  std::string description = {};
  // Says why a new value is refused, or takes it over and returns an empty text. Absent: the
  // parameter is fixed while the program runs.
  std::function<std::string(const gs::msgs::ParameterValue&)> change = nullptr;
  std::optional<gs::msgs::FloatingPointRange> range = {};
};

class ParameterStore {
 public:
  void declare(const std::string& name, DeclaredParameter parameter);
  // One parameter for each leaf of a struct that lists its fields: "vehicle.tire.stiffness".
  template <gs::HasFields T>
  void declareFields(const T& value, const std::string& prefix = "");
  // The same struct with other values: those that are fixed while the program runs follow it, those
  // that people may change are theirs. Returns what has a new value, for /parameter_events.
  template <gs::HasFields T>
  std::vector<gs::msgs::Parameter> updateFields(const T& value);

  gs::msgs::GetParametersResponse get(const gs::msgs::GetParametersRequest& request) const;
  gs::msgs::GetParameterTypesResponse types(
      const gs::msgs::GetParameterTypesRequest& request) const;
  gs::msgs::ListParametersResponse list(const gs::msgs::ListParametersRequest& request) const;
  gs::msgs::DescribeParametersResponse describe(
      const gs::msgs::DescribeParametersRequest& request) const;
  // `changed` gets what has a new value, for /parameter_events.
  gs::msgs::SetParametersResponse set(const gs::msgs::SetParametersRequest& request,
                                      std::vector<gs::msgs::Parameter>& changed);
  gs::msgs::SetParametersAtomicallyResponse setAtomically(
      const gs::msgs::SetParametersAtomicallyRequest& request,
      std::vector<gs::msgs::Parameter>& changed);

  std::vector<gs::msgs::Parameter> all() const;

 private:
  std::vector<gs::msgs::Parameter> takeOverFixed(const ParameterStore& other);
  std::string problemWith(const gs::msgs::Parameter& wish) const;
  gs::msgs::SetParametersResult apply(const gs::msgs::Parameter& wish,
                                      std::vector<gs::msgs::Parameter>& changed);

  std::map<std::string, DeclaredParameter> parameters_;
};

namespace detail {

template <typename T>
struct OptionalValue;
template <typename T>
struct OptionalValue<std::optional<T>> {
  using Type = T;
};

template <typename T>
gs::msgs::ParameterValue leafToParameter(const T& value) {
  if constexpr (std::is_enum_v<T>) return toParameter(std::string(gs::wordOf(value)));
  else if constexpr (std::same_as<T, bool> || std::is_floating_point_v<T>)
    return toParameter(value);
  else if constexpr (std::is_integral_v<T>) return toParameter(static_cast<int64_t>(value));
  else return toParameter(value);
}

}  // namespace detail

template <gs::HasFields T>
void ParameterStore::declareFields(const T& value, const std::string& prefix) {
  T::fields(value, [&]<typename F>(const char* key, const F& field, gs::FieldTraits traits = {}) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    const std::string description = traits.comment ? traits.comment : "";
    if constexpr (gs::HasFields<F>) {
      declareFields(field, name);
    } else if constexpr (requires { typename detail::OptionalValue<F>::Type; }) {
      if constexpr (gs::HasFields<typename detail::OptionalValue<F>::Type>) {
        if (field) declareFields(*field, name);
      } else {
        declare(name,
                {.value = field ? detail::leafToParameter(*field) : gs::msgs::ParameterValue(),
                 .description = description});
      }
    } else {
      declare(name, {.value = detail::leafToParameter(field), .description = description});
    }
  });
}

template <gs::HasFields T>
std::vector<gs::msgs::Parameter> ParameterStore::updateFields(const T& value) {
  ParameterStore next;
  next.declareFields(value);
  return takeOverFixed(next);
}

}  // namespace gs_sim
