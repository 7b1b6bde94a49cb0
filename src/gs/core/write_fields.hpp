// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gs/core/fields.hpp"

namespace gs {

namespace detail {

template <typename T>
struct IsWrittenOptional : std::false_type {};
template <typename T>
struct IsWrittenOptional<std::optional<T>> : std::true_type {};

}  // namespace detail

// The JSON of a struct with fields(), keys in field order; absent optionals are left out. Numbers
// survive exactly: the text is the shortest that reads back to the same double.
template <typename T>
nlohmann::ordered_json toJson(const T& value) {
  if constexpr (HasFields<T>) {
    auto json = nlohmann::ordered_json::object();
    T::fields(value, [&json](const char* name, const auto& field, FieldTraits = {}) {
      if constexpr (detail::IsWrittenOptional<std::decay_t<decltype(field)>>::value) {
        if (field) json[name] = toJson(*field);
      } else {
        json[name] = toJson(field);
      }
    });
    return json;
  } else if constexpr (HasWords<T>) {
    return wordOf(value);
  } else if constexpr (requires { value.find(typename T::key_type()); }) {
    auto json = nlohmann::ordered_json::object();
    for (const auto& [key, child] : value) json[key] = toJson(child);
    return json;
  } else if constexpr (requires { value.size(); } && !std::is_convertible_v<T, std::string>) {
    auto json = nlohmann::ordered_json::array();
    for (const auto& item : value) json.push_back(toJson(item));
    return json;
  } else {
    return value;
  }
}

std::string toText(const nlohmann::ordered_json& json);      // two-space JSON, ends with a newline
std::string toYamlText(const nlohmann::ordered_json& json);  // block YAML, short lists in one line

}  // namespace gs
