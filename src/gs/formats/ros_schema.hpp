// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gs/core/fields.hpp"
#include "gs/formats/cdr_types.hpp"

// What ROS 2 wants to know about a type besides its bytes: the .msg text for logs, the type name
// for DDS, and the hash that tells two definitions apart. All follow from fields().
namespace gs {

enum class RosArity { One, FixedArray, BoundedSequence, Sequence };

struct RosField {
  std::string name;
  std::string type;  // "float64", or the full name of a message: "geometry_msgs/msg/Pose"
  bool is_nested = false;
  RosArity arity = RosArity::One;
  uint64_t capacity = 0;         // elements of an array, or the bound of a sequence
  uint64_t string_capacity = 0;  // the bound of `string<=N`

  bool operator==(const RosField&) const = default;
};

struct RosConstant {
  std::string type, name, value;
  bool operator==(const RosConstant&) const = default;
};

struct RosType {
  std::string name;  // "std_msgs/msg/Header", "std_srvs/srv/Trigger_Request"
  std::vector<RosField> fields;
  std::vector<RosConstant> constants;
  bool operator==(const RosType&) const = default;
};

// A type and all the types it is made of, sorted by name.
struct RosTypeTree {
  RosType type;
  std::vector<RosType> referenced;
};

// The text of an MCAP schema record with encoding "ros2msg", as rosbag2 writes it: the definition,
// then each referenced one behind a line of 80 '=' and "MSG: pkg/Name".
std::string toRosSchemaText(const RosTypeTree& tree);

// "sensor_msgs/msg/Image" -> "sensor_msgs::msg::dds_::Image_".
std::string toDdsTypeName(std::string_view ros_type);

// "RIHS01_" and the SHA-256 of toRosHashText(), which is the type description as JSON.
std::string rosTypeHash(const RosTypeTree& tree);
std::string toRosHashText(const RosTypeTree& tree);

// One .msg file, or one half of a .srv file, as a type; the inverse of toRosSchemaText() for one
// definition. Names without a package belong to the package of `name`. Comments and default values
// are dropped. Throws gs::Error (INPUT_INVALID, component "ros_schema") and names the line.
RosType parseRosDefinition(std::string_view text, const std::string& name);

template <typename T>
concept HasRosType = HasFields<T> && requires {
  { T::kRosType } -> std::convertible_to<std::string_view>;
};

namespace detail {

template <typename T>
constexpr const char* rosPrimitive() {
  if constexpr (std::same_as<T, bool>) return "bool";
  if constexpr (std::same_as<T, std::byte>) return "byte";
  if constexpr (std::same_as<T, int8_t>) return "int8";
  if constexpr (std::same_as<T, uint8_t>) return "uint8";
  if constexpr (std::same_as<T, int16_t>) return "int16";
  if constexpr (std::same_as<T, uint16_t>) return "uint16";
  if constexpr (std::same_as<T, int32_t>) return "int32";
  if constexpr (std::same_as<T, uint32_t>) return "uint32";
  if constexpr (std::same_as<T, int64_t>) return "int64";
  if constexpr (std::same_as<T, uint64_t>) return "uint64";
  if constexpr (std::same_as<T, float>) return "float32";
  if constexpr (std::same_as<T, double>) return "float64";
}

void addReferenced(RosTypeTree& tree, RosTypeTree nested);
void addConstant(RosType& type, const char* type_name, const char* name, int64_t value);

template <HasRosType T>
RosTypeTree describe();

template <typename T>
void describeElement(RosField& field, RosTypeTree& tree) {
  if constexpr (CdrText<T>) {
    field.type = "string";
    if constexpr (CdrBounded<T>) field.string_capacity = T::kMaxSize;
  } else if constexpr (HasRosType<T>) {
    field.type = T::kRosType;
    field.is_nested = true;
    addReferenced(tree, describe<T>());
  } else {
    field.type = rosPrimitive<T>();
  }
}

template <typename T>
RosField describeField(const char* name, RosTypeTree& tree) {
  RosField field{.name = name};
  if constexpr (CdrArray<T>) {
    field.arity = RosArity::FixedArray;
    field.capacity = std::tuple_size_v<T>;
    describeElement<typename T::value_type>(field, tree);
  } else if constexpr (CdrSequence<T>) {
    field.arity = CdrBounded<T> ? RosArity::BoundedSequence : RosArity::Sequence;
    if constexpr (CdrBounded<T>) field.capacity = T::kMaxSize;
    describeElement<typename T::value_type>(field, tree);
  } else {
    describeElement<T>(field, tree);
  }
  return field;
}

template <HasRosType T>
RosTypeTree describe() {
  RosTypeTree tree{.type = {.name = T::kRosType}};
  if constexpr (requires { T::constants([](const char*, auto) {}); })
    T::constants([&tree]<typename V>(const char* name, V value) {
      addConstant(tree.type, rosPrimitive<V>(), name, static_cast<int64_t>(value));
    });
  T example{};
  T::fields(example, [&tree](const char* name, auto& value, FieldTraits = {}) {
    auto field = describeField<std::remove_cvref_t<decltype(value)>>(name, tree);
    tree.type.fields.push_back(std::move(field));
  });
  return tree;
}

}  // namespace detail

template <HasRosType T>
RosTypeTree describeRosType() {
  return detail::describe<T>();
}

template <HasRosType T>
std::string rosSchemaText() {
  return toRosSchemaText(describeRosType<T>());
}

template <HasRosType T>
std::string rosTypeHash() {
  return rosTypeHash(describeRosType<T>());
}

template <HasRosType T>
std::string ddsTypeName() {
  return toDdsTypeName(T::kRosType);
}

}  // namespace gs
