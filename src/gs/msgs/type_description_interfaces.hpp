// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/bounded.hpp"

// How a node explains its types to others (Iron and later).
namespace gs::msgs {

// type_description_interfaces/msg/KeyValue. Not `KeyValue`: that is diagnostic_msgs/msg/KeyValue.
struct TypeDescriptionKeyValue {
  static constexpr const char* kRosType = "type_description_interfaces/msg/KeyValue";

  std::string key;
  std::string value;

  static void fields(auto& self, auto&& visit) {
    visit("key", self.key);
    visit("value", self.value);
  }
  bool operator==(const TypeDescriptionKeyValue&) const = default;
};

// type_description_interfaces/msg/FieldType.
struct FieldType {
  static constexpr const char* kRosType = "type_description_interfaces/msg/FieldType";

  uint8_t type_id = 0;
  uint64_t capacity = 0;
  uint64_t string_capacity = 0;
  BoundedString<255> nested_type_name;

  static void fields(auto& self, auto&& visit) {
    visit("type_id", self.type_id);
    visit("capacity", self.capacity);
    visit("string_capacity", self.string_capacity);
    visit("nested_type_name", self.nested_type_name);
  }
  bool operator==(const FieldType&) const = default;
};

// type_description_interfaces/msg/Field.
struct Field {
  static constexpr const char* kRosType = "type_description_interfaces/msg/Field";

  std::string name;
  FieldType type;
  std::string default_value;

  static void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("type", self.type);
    visit("default_value", self.default_value);
  }
  bool operator==(const Field&) const = default;
};

// type_description_interfaces/msg/IndividualTypeDescription.
struct IndividualTypeDescription {
  static constexpr const char* kRosType =
      "type_description_interfaces/msg/IndividualTypeDescription";

  BoundedString<255> type_name;
  std::vector<Field> type_fields;  // `fields` in ROS

  static void fields(auto& self, auto&& visit) {
    visit("type_name", self.type_name);
    visit("fields", self.type_fields);
  }
  bool operator==(const IndividualTypeDescription&) const = default;
};

// type_description_interfaces/msg/TypeDescription.
struct TypeDescription {
  static constexpr const char* kRosType = "type_description_interfaces/msg/TypeDescription";

  IndividualTypeDescription type_description;
  std::vector<IndividualTypeDescription> referenced_type_descriptions;

  static void fields(auto& self, auto&& visit) {
    visit("type_description", self.type_description);
    visit("referenced_type_descriptions", self.referenced_type_descriptions);
  }
  bool operator==(const TypeDescription&) const = default;
};

// type_description_interfaces/msg/TypeSource.
struct TypeSource {
  static constexpr const char* kRosType = "type_description_interfaces/msg/TypeSource";

  std::string type_name;
  std::string encoding;
  std::string raw_file_contents;

  static void fields(auto& self, auto&& visit) {
    visit("type_name", self.type_name);
    visit("encoding", self.encoding);
    visit("raw_file_contents", self.raw_file_contents);
  }
  bool operator==(const TypeSource&) const = default;
};

// type_description_interfaces/srv/GetTypeDescription_Request.
struct GetTypeDescriptionRequest {
  static constexpr const char* kRosType =
      "type_description_interfaces/srv/GetTypeDescription_Request";

  std::string type_name;
  std::string type_hash;
  bool include_type_sources = true;

  static void fields(auto& self, auto&& visit) {
    visit("type_name", self.type_name);
    visit("type_hash", self.type_hash);
    visit("include_type_sources", self.include_type_sources);
  }
  bool operator==(const GetTypeDescriptionRequest&) const = default;
};

// type_description_interfaces/srv/GetTypeDescription_Response.
struct GetTypeDescriptionResponse {
  static constexpr const char* kRosType =
      "type_description_interfaces/srv/GetTypeDescription_Response";

  bool successful = false;
  std::string failure_reason;
  TypeDescription type_description;
  std::vector<TypeSource> type_sources;
  std::vector<TypeDescriptionKeyValue> extra_information;

  static void fields(auto& self, auto&& visit) {
    visit("successful", self.successful);
    visit("failure_reason", self.failure_reason);
    visit("type_description", self.type_description);
    visit("type_sources", self.type_sources);
    visit("extra_information", self.extra_information);
  }
  bool operator==(const GetTypeDescriptionResponse&) const = default;
};

}  // namespace gs::msgs
