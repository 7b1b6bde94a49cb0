// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/ros_schema.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gs/core/check.hpp"
#include "gs/core/hash.hpp"

namespace gs {
namespace {

// type_description_interfaces/msg/FieldType: what a hash calls each type.
constexpr std::array<std::pair<std::string_view, int>, 13> kTypeIds = {{{"int8", 2},
                                                                        {"uint8", 3},
                                                                        {"int16", 4},
                                                                        {"uint16", 5},
                                                                        {"int32", 6},
                                                                        {"uint32", 7},
                                                                        {"int64", 8},
                                                                        {"uint64", 9},
                                                                        {"float32", 10},
                                                                        {"float64", 11},
                                                                        {"bool", 15},
                                                                        {"byte", 16},
                                                                        {"string", 17}}};
constexpr int kNestedId = 1;
constexpr int kBoundedStringId = 21;

int typeId(const RosField& field) {
  const int of_arity = 48 * static_cast<int>(field.arity);  // One 0, array 48, bounded 96, any 144
  if (field.is_nested) return of_arity + kNestedId;
  if (field.string_capacity > 0) return of_arity + kBoundedStringId;
  const auto* known = std::find_if(kTypeIds.begin(), kTypeIds.end(),
                                   [&](const auto& entry) { return entry.first == field.type; });
  GS_CHECK((known != kTypeIds.end()) == true);
  return of_arity + known->second;
}

// "geometry_msgs/msg/Pose" -> "geometry_msgs/Pose", the form that .msg files use.
std::string shortName(std::string_view ros_type) {
  const size_t first = ros_type.find('/');
  const size_t last = ros_type.rfind('/');
  return std::string(ros_type.substr(0, first)) + std::string(ros_type.substr(last));
}

std::string fieldLine(const RosField& field) {
  std::string line = field.is_nested ? shortName(field.type) : field.type;
  if (field.string_capacity > 0) line += "<=" + std::to_string(field.string_capacity);
  switch (field.arity) {
    case RosArity::One: break;
    case RosArity::FixedArray: line += "[" + std::to_string(field.capacity) + "]"; break;
    case RosArity::BoundedSequence: line += "[<=" + std::to_string(field.capacity) + "]"; break;
    case RosArity::Sequence: line += "[]"; break;
  }
  return line + " " + field.name + "\n";
}

std::string definitionText(const RosType& type) {
  std::string text;
  for (const RosConstant& constant : type.constants)
    text += constant.type + " " + constant.name + "=" + constant.value + "\n";
  for (const RosField& field : type.fields) text += fieldLine(field);
  return text;
}

// Every text in here is an identifier, so nothing needs escaping.
std::string hashTextOf(const RosField& field) {
  return "{\"name\": \"" + field.name +
         "\", \"type\": {\"type_id\": " + std::to_string(typeId(field)) +
         ", \"capacity\": " + std::to_string(field.capacity) +
         ", \"string_capacity\": " + std::to_string(field.string_capacity) +
         ", \"nested_type_name\": \"" + (field.is_nested ? field.type : std::string()) + "\"}}";
}

std::string hashTextOf(const RosType& type) {
  static const RosField kMember{.name = "structure_needs_at_least_one_member", .type = "uint8"};
  std::string text = "{\"type_name\": \"" + type.name + "\", \"fields\": [";
  for (const RosField& field : type.fields)
    text += (&field == type.fields.data() ? "" : ", ") + hashTextOf(field);
  if (type.fields.empty()) text += hashTextOf(kMember);
  return text + "]}";
}

}  // namespace

namespace detail {

void addReferenced(RosTypeTree& tree, RosTypeTree nested) {
  nested.referenced.push_back(std::move(nested.type));
  for (RosType& type : nested.referenced) {
    const auto at = std::lower_bound(tree.referenced.begin(), tree.referenced.end(), type,
                                     [](const auto& a, const auto& b) { return a.name < b.name; });
    if (at == tree.referenced.end() || at->name != type.name)
      tree.referenced.insert(at, std::move(type));
  }
}

void addConstant(RosType& type, const char* type_name, const char* name, int64_t value) {
  type.constants.push_back({type_name, name, std::to_string(value)});
}

}  // namespace detail

std::string toRosSchemaText(const RosTypeTree& tree) {
  std::string text = definitionText(tree.type);
  for (const RosType& type : tree.referenced)
    text += std::string(80, '=') + "\nMSG: " + shortName(type.name) + "\n" + definitionText(type);
  return text;
}

std::string toDdsTypeName(std::string_view ros_type) {
  std::string name;
  for (const char c : ros_type) name += c == '/' ? std::string("::") : std::string(1, c);
  const size_t last = name.rfind("::");
  if (last != std::string::npos) name.insert(last, "::dds_");
  return name + "_";
}

std::string toRosHashText(const RosTypeTree& tree) {
  std::string text =
      "{\"type_description\": " + hashTextOf(tree.type) + ", \"referenced_type_descriptions\": [";
  for (const RosType& type : tree.referenced)
    text += (&type == tree.referenced.data() ? "" : ", ") + hashTextOf(type);
  return text + "]}";
}

std::string rosTypeHash(const RosTypeTree& tree) {
  return "RIHS01_" + hexDigest(HashKind::Sha256, asBytes(toRosHashText(tree)));
}

}  // namespace gs
