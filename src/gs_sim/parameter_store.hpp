// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

// The parameters of a running simulation, and what may be asked about them. No wire, and no message
// of one.
namespace gs_sim {

// Nothing, one value or a list of one kind. The order is that of ROS's parameter types.
using ParameterValue = std::variant<std::monostate, bool, int64_t, double, std::string,
                                    std::vector<std::byte>, std::vector<bool>, std::vector<int64_t>,
                                    std::vector<double>, std::vector<std::string>>;

inline bool isSet(const ParameterValue& value) { return value.index() != 0; }

// As ROS reads YAML: true, 1, 1.0, text, lists of one kind. Nothing for maps and mixed lists.
std::optional<ParameterValue> toParameter(const gs::Node& yaml);

struct Parameter {
  std::string name;
  ParameterValue value;

  bool operator==(const Parameter&) const = default;
};

struct ParameterRange {
  double from = 0, to = 0;
};

struct DeclaredParameter {
  ParameterValue value;
  std::string description = {};
  // Says why a new value is refused, or takes it over and returns an empty text; it gets values of
  // the declared kind only. Absent: the parameter is fixed while the program runs.
  std::function<std::string(const ParameterValue&)> change = nullptr;
  std::optional<ParameterRange> range = {};  // of a double
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
  std::vector<Parameter> updateFields(const T& value);

  // Null: there is none of that name.
  const DeclaredParameter* find(const std::string& name) const;
  ParameterValue get(const std::string& name) const;  // nothing where there is none
  std::vector<Parameter> all() const;                 // by name
  // Those below the prefixes, `depth` levels deep; none means all of them, 0 every level.
  std::vector<std::string> names(const std::vector<std::string>& prefixes = {},
                                 uint64_t depth = 0) const;

  // Why the wish is refused; empty: it was taken over, and added to `changed`.
  std::string set(const Parameter& wish, std::vector<Parameter>& changed);
  // All of them or none; the reason is that of the first that is refused.
  std::string setAtomically(const std::vector<Parameter>& wishes, std::vector<Parameter>& changed);

 private:
  std::vector<Parameter> takeOverFixed(const ParameterStore& other);
  std::string problemWith(const Parameter& wish) const;

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
ParameterValue leafToParameter(const T& value) {
  if constexpr (std::is_enum_v<T>) return std::string(gs::wordOf(value));
  else if constexpr (std::same_as<T, bool>) return value;
  else if constexpr (std::is_floating_point_v<T>) return static_cast<double>(value);
  else if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(value);
  else return value;
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
        declare(name, {.value = field ? detail::leafToParameter(*field) : ParameterValue(),
                       .description = description});
      }
    } else {
      declare(name, {.value = detail::leafToParameter(field), .description = description});
    }
  });
}

template <gs::HasFields T>
std::vector<Parameter> ParameterStore::updateFields(const T& value) {
  ParameterStore next;
  next.declareFields(value);
  return takeOverFixed(next);
}

}  // namespace gs_sim
