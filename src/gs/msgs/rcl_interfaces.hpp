// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/bounded.hpp"
#include "gs/msgs/builtin_interfaces.hpp"

// Parameters and the log topic, which every node serves.
namespace gs::msgs {

// rcl_interfaces/msg/Log.
struct Log {
  static constexpr const char* kRosType = "rcl_interfaces/msg/Log";
  static constexpr std::byte kDebug{10};
  static constexpr std::byte kInfo{20};
  static constexpr std::byte kWarn{30};
  static constexpr std::byte kError{40};
  static constexpr std::byte kFatal{50};

  Time stamp;
  uint8_t level = 0;
  std::string name;
  std::string msg;
  std::string file;
  std::string function;
  uint32_t line = 0;

  static void constants(auto&& visit) {
    visit("DEBUG", kDebug);
    visit("INFO", kInfo);
    visit("WARN", kWarn);
    visit("ERROR", kError);
    visit("FATAL", kFatal);
  }
  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("level", self.level);
    visit("name", self.name);
    visit("msg", self.msg);
    visit("file", self.file);
    visit("function", self.function);
    visit("line", self.line);
  }
  bool operator==(const Log&) const = default;
};

// rcl_interfaces/msg/ParameterType. What ParameterValue::type may be; never sent.
struct ParameterType {
  static constexpr const char* kRosType = "rcl_interfaces/msg/ParameterType";
  static constexpr uint8_t kParameterNotSet = 0;
  static constexpr uint8_t kParameterBool = 1;
  static constexpr uint8_t kParameterInteger = 2;
  static constexpr uint8_t kParameterDouble = 3;
  static constexpr uint8_t kParameterString = 4;
  static constexpr uint8_t kParameterByteArray = 5;
  static constexpr uint8_t kParameterBoolArray = 6;
  static constexpr uint8_t kParameterIntegerArray = 7;
  static constexpr uint8_t kParameterDoubleArray = 8;
  static constexpr uint8_t kParameterStringArray = 9;

  static void constants(auto&& visit) {
    visit("PARAMETER_NOT_SET", kParameterNotSet);
    visit("PARAMETER_BOOL", kParameterBool);
    visit("PARAMETER_INTEGER", kParameterInteger);
    visit("PARAMETER_DOUBLE", kParameterDouble);
    visit("PARAMETER_STRING", kParameterString);
    visit("PARAMETER_BYTE_ARRAY", kParameterByteArray);
    visit("PARAMETER_BOOL_ARRAY", kParameterBoolArray);
    visit("PARAMETER_INTEGER_ARRAY", kParameterIntegerArray);
    visit("PARAMETER_DOUBLE_ARRAY", kParameterDoubleArray);
    visit("PARAMETER_STRING_ARRAY", kParameterStringArray);
  }
  static void fields(auto&, auto&&) {}
  bool operator==(const ParameterType&) const = default;
};

// rcl_interfaces/msg/ParameterValue.
struct ParameterValue {
  static constexpr const char* kRosType = "rcl_interfaces/msg/ParameterValue";

  uint8_t type = 0;
  bool bool_value = false;
  int64_t integer_value = 0;
  double double_value = 0;
  std::string string_value;
  std::vector<std::byte> byte_array_value;
  std::vector<bool> bool_array_value;
  std::vector<int64_t> integer_array_value;
  std::vector<double> double_array_value;
  std::vector<std::string> string_array_value;

  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("bool_value", self.bool_value);
    visit("integer_value", self.integer_value);
    visit("double_value", self.double_value);
    visit("string_value", self.string_value);
    visit("byte_array_value", self.byte_array_value);
    visit("bool_array_value", self.bool_array_value);
    visit("integer_array_value", self.integer_array_value);
    visit("double_array_value", self.double_array_value);
    visit("string_array_value", self.string_array_value);
  }
  bool operator==(const ParameterValue&) const = default;
};

// rcl_interfaces/msg/Parameter.
struct Parameter {
  static constexpr const char* kRosType = "rcl_interfaces/msg/Parameter";

  std::string name;
  ParameterValue value;

  static void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("value", self.value);
  }
  bool operator==(const Parameter&) const = default;
};

// rcl_interfaces/msg/ParameterEvent.
struct ParameterEvent {
  static constexpr const char* kRosType = "rcl_interfaces/msg/ParameterEvent";

  Time stamp;
  std::string node;
  std::vector<Parameter> new_parameters;
  std::vector<Parameter> changed_parameters;
  std::vector<Parameter> deleted_parameters;

  static void fields(auto& self, auto&& visit) {
    visit("stamp", self.stamp);
    visit("node", self.node);
    visit("new_parameters", self.new_parameters);
    visit("changed_parameters", self.changed_parameters);
    visit("deleted_parameters", self.deleted_parameters);
  }
  bool operator==(const ParameterEvent&) const = default;
};

// rcl_interfaces/msg/FloatingPointRange.
struct FloatingPointRange {
  static constexpr const char* kRosType = "rcl_interfaces/msg/FloatingPointRange";

  double from_value = 0;
  double to_value = 0;
  double step = 0;

  static void fields(auto& self, auto&& visit) {
    visit("from_value", self.from_value);
    visit("to_value", self.to_value);
    visit("step", self.step);
  }
  bool operator==(const FloatingPointRange&) const = default;
};

// rcl_interfaces/msg/IntegerRange.
struct IntegerRange {
  static constexpr const char* kRosType = "rcl_interfaces/msg/IntegerRange";

  int64_t from_value = 0;
  int64_t to_value = 0;
  uint64_t step = 0;

  static void fields(auto& self, auto&& visit) {
    visit("from_value", self.from_value);
    visit("to_value", self.to_value);
    visit("step", self.step);
  }
  bool operator==(const IntegerRange&) const = default;
};

// rcl_interfaces/msg/ParameterDescriptor.
struct ParameterDescriptor {
  static constexpr const char* kRosType = "rcl_interfaces/msg/ParameterDescriptor";

  std::string name;
  uint8_t type = 0;
  std::string description;
  std::string additional_constraints;
  bool read_only = false;
  bool dynamic_typing = false;
  BoundedVector<FloatingPointRange, 1> floating_point_range;
  BoundedVector<IntegerRange, 1> integer_range;

  static void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("type", self.type);
    visit("description", self.description);
    visit("additional_constraints", self.additional_constraints);
    visit("read_only", self.read_only);
    visit("dynamic_typing", self.dynamic_typing);
    visit("floating_point_range", self.floating_point_range);
    visit("integer_range", self.integer_range);
  }
  bool operator==(const ParameterDescriptor&) const = default;
};

// rcl_interfaces/msg/SetParametersResult.
struct SetParametersResult {
  static constexpr const char* kRosType = "rcl_interfaces/msg/SetParametersResult";

  bool successful = false;
  std::string reason;

  static void fields(auto& self, auto&& visit) {
    visit("successful", self.successful);
    visit("reason", self.reason);
  }
  bool operator==(const SetParametersResult&) const = default;
};

// rcl_interfaces/msg/ListParametersResult.
struct ListParametersResult {
  static constexpr const char* kRosType = "rcl_interfaces/msg/ListParametersResult";

  std::vector<std::string> names;
  std::vector<std::string> prefixes;

  static void fields(auto& self, auto&& visit) {
    visit("names", self.names);
    visit("prefixes", self.prefixes);
  }
  bool operator==(const ListParametersResult&) const = default;
};

// rcl_interfaces/srv/GetParameters_Request.
struct GetParametersRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/GetParameters_Request";

  std::vector<std::string> names;

  static void fields(auto& self, auto&& visit) { visit("names", self.names); }
  bool operator==(const GetParametersRequest&) const = default;
};

// rcl_interfaces/srv/GetParameters_Response.
struct GetParametersResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/GetParameters_Response";

  std::vector<ParameterValue> values;

  static void fields(auto& self, auto&& visit) { visit("values", self.values); }
  bool operator==(const GetParametersResponse&) const = default;
};

// rcl_interfaces/srv/GetParameterTypes_Request.
struct GetParameterTypesRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/GetParameterTypes_Request";

  std::vector<std::string> names;

  static void fields(auto& self, auto&& visit) { visit("names", self.names); }
  bool operator==(const GetParameterTypesRequest&) const = default;
};

// rcl_interfaces/srv/GetParameterTypes_Response.
struct GetParameterTypesResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/GetParameterTypes_Response";

  std::vector<uint8_t> types;

  static void fields(auto& self, auto&& visit) { visit("types", self.types); }
  bool operator==(const GetParameterTypesResponse&) const = default;
};

// rcl_interfaces/srv/SetParameters_Request.
struct SetParametersRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/SetParameters_Request";

  std::vector<Parameter> parameters;

  static void fields(auto& self, auto&& visit) { visit("parameters", self.parameters); }
  bool operator==(const SetParametersRequest&) const = default;
};

// rcl_interfaces/srv/SetParameters_Response.
struct SetParametersResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/SetParameters_Response";

  std::vector<SetParametersResult> results;

  static void fields(auto& self, auto&& visit) { visit("results", self.results); }
  bool operator==(const SetParametersResponse&) const = default;
};

// rcl_interfaces/srv/SetParametersAtomically_Request.
struct SetParametersAtomicallyRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/SetParametersAtomically_Request";

  std::vector<Parameter> parameters;

  static void fields(auto& self, auto&& visit) { visit("parameters", self.parameters); }
  bool operator==(const SetParametersAtomicallyRequest&) const = default;
};

// rcl_interfaces/srv/SetParametersAtomically_Response.
struct SetParametersAtomicallyResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/SetParametersAtomically_Response";

  SetParametersResult result;

  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const SetParametersAtomicallyResponse&) const = default;
};

// rcl_interfaces/srv/ListParameters_Request.
struct ListParametersRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/ListParameters_Request";
  static constexpr uint64_t kDepthRecursive = 0;

  std::vector<std::string> prefixes;
  uint64_t depth = 0;

  static void constants(auto&& visit) { visit("DEPTH_RECURSIVE", kDepthRecursive); }
  static void fields(auto& self, auto&& visit) {
    visit("prefixes", self.prefixes);
    visit("depth", self.depth);
  }
  bool operator==(const ListParametersRequest&) const = default;
};

// rcl_interfaces/srv/ListParameters_Response.
struct ListParametersResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/ListParameters_Response";

  ListParametersResult result;

  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const ListParametersResponse&) const = default;
};

// rcl_interfaces/srv/DescribeParameters_Request.
struct DescribeParametersRequest {
  static constexpr const char* kRosType = "rcl_interfaces/srv/DescribeParameters_Request";

  std::vector<std::string> names;

  static void fields(auto& self, auto&& visit) { visit("names", self.names); }
  bool operator==(const DescribeParametersRequest&) const = default;
};

// rcl_interfaces/srv/DescribeParameters_Response.
struct DescribeParametersResponse {
  static constexpr const char* kRosType = "rcl_interfaces/srv/DescribeParameters_Response";

  std::vector<ParameterDescriptor> descriptors;

  static void fields(auto& self, auto&& visit) { visit("descriptors", self.descriptors); }
  bool operator==(const DescribeParametersResponse&) const = default;
};

}  // namespace gs::msgs
