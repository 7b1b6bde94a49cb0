// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/parameter_server.hpp"

#include <set>
#include <utility>

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using Type = msgs::ParameterType;

// The number of a type in ROS is its place in the variant.
template <uint8_t kType, typename T>
constexpr bool kIsAt = std::is_same_v<std::variant_alternative_t<kType, gs_sim::ParameterValue>, T>;
static_assert(kIsAt<Type::kParameterNotSet, std::monostate> && kIsAt<Type::kParameterBool, bool> &&
              kIsAt<Type::kParameterInteger, int64_t> && kIsAt<Type::kParameterDouble, double> &&
              kIsAt<Type::kParameterString, std::string> &&
              kIsAt<Type::kParameterByteArray, std::vector<std::byte>> &&
              kIsAt<Type::kParameterBoolArray, std::vector<bool>> &&
              kIsAt<Type::kParameterIntegerArray, std::vector<int64_t>> &&
              kIsAt<Type::kParameterDoubleArray, std::vector<double>> &&
              kIsAt<Type::kParameterStringArray, std::vector<std::string>>);

uint8_t typeOf(const gs_sim::ParameterValue& value) { return static_cast<uint8_t>(value.index()); }

gs_sim::Parameter parameterOf(const msgs::Parameter& message) {
  return {message.name, fromMessage(message.value)};
}

msgs::SetParametersResult toResult(const std::string& problem) {
  return {.successful = problem.empty(), .reason = problem};
}

}  // namespace

msgs::ParameterValue toMessage(const gs_sim::ParameterValue& value) {
  msgs::ParameterValue message;
  message.type = typeOf(value);
  switch (message.type) {
    case Type::kParameterBool: message.bool_value = std::get<bool>(value); break;
    case Type::kParameterInteger: message.integer_value = std::get<int64_t>(value); break;
    case Type::kParameterDouble: message.double_value = std::get<double>(value); break;
    case Type::kParameterString: message.string_value = std::get<std::string>(value); break;
    case Type::kParameterByteArray: message.byte_array_value = std::get<5>(value); break;
    case Type::kParameterBoolArray: message.bool_array_value = std::get<6>(value); break;
    case Type::kParameterIntegerArray: message.integer_array_value = std::get<7>(value); break;
    case Type::kParameterDoubleArray: message.double_array_value = std::get<8>(value); break;
    case Type::kParameterStringArray: message.string_array_value = std::get<9>(value); break;
    default: break;
  }
  return message;
}

std::vector<msgs::Parameter> toMessages(const std::vector<gs_sim::Parameter>& parameters) {
  std::vector<msgs::Parameter> messages;
  for (const auto& [name, value] : parameters) messages.push_back({name, toMessage(value)});
  return messages;
}

gs_sim::ParameterValue fromMessage(const msgs::ParameterValue& message) {
  switch (message.type) {
    case Type::kParameterBool: return message.bool_value;
    case Type::kParameterInteger: return message.integer_value;
    case Type::kParameterDouble: return message.double_value;
    case Type::kParameterString: return message.string_value;
    case Type::kParameterByteArray: return message.byte_array_value;
    case Type::kParameterBoolArray: return message.bool_array_value;
    case Type::kParameterIntegerArray: return message.integer_array_value;
    case Type::kParameterDoubleArray: return message.double_array_value;
    case Type::kParameterStringArray: return message.string_array_value;
    default: return {};
  }
}

msgs::ListParametersResponse listParameters(const gs_sim::ParameterStore& store,
                                            const msgs::ListParametersRequest& request) {
  msgs::ListParametersResponse response;
  response.result.names = store.names(request.prefixes, request.depth);
  std::set<std::string> parents;
  for (const std::string& name : response.result.names)
    if (const size_t dot = name.rfind('.'); dot != std::string::npos)
      parents.insert(name.substr(0, dot));
  response.result.prefixes.assign(parents.begin(), parents.end());
  return response;
}

msgs::ParameterDescriptor describeParameter(const gs_sim::ParameterStore& store,
                                            const std::string& name) {
  msgs::ParameterDescriptor descriptor;
  descriptor.name = name;
  const gs_sim::DeclaredParameter* found = store.find(name);
  if (found == nullptr) return descriptor;
  descriptor.type = typeOf(found->value);
  descriptor.description = found->description;
  descriptor.read_only = !found->change;
  if (found->range)
    descriptor.floating_point_range.push_back({found->range->from, found->range->to, 0});
  return descriptor;
}

ParameterServer::ParameterServer(Node& node, gs_sim::ParameterStore& store,
                                 std::function<gs::Stamp()> now, Changed changed)
    : node_(node),
      store_(store),
      now_(std::move(now)),
      changed_(std::move(changed)),
      events_(node.advertise<msgs::ParameterEvent>("/parameter_events", {.depth = 1000})) {
  serveReading(node);
  serveSetting(node);
}

void ParameterServer::serveReading(Node& node) {
  node.serve<msgs::GetParametersRequest, msgs::GetParametersResponse>(
      "~/get_parameters", [this](const auto& request) {
        msgs::GetParametersResponse response;
        for (const std::string& name : request.names)
          response.values.push_back(toMessage(store_.get(name)));
        return response;
      });
  node.serve<msgs::GetParameterTypesRequest, msgs::GetParameterTypesResponse>(
      "~/get_parameter_types", [this](const auto& request) {
        msgs::GetParameterTypesResponse response;
        for (const std::string& name : request.names)
          response.types.push_back(typeOf(store_.get(name)));
        return response;
      });
  node.serve<msgs::ListParametersRequest, msgs::ListParametersResponse>(
      "~/list_parameters", [this](const auto& request) { return listParameters(store_, request); });
  node.serve<msgs::DescribeParametersRequest, msgs::DescribeParametersResponse>(
      "~/describe_parameters", [this](const auto& request) {
        msgs::DescribeParametersResponse response;
        for (const std::string& name : request.names)
          response.descriptors.push_back(describeParameter(store_, name));
        return response;
      });
}

void ParameterServer::serveSetting(Node& node) {
  node.serve<msgs::SetParametersRequest, msgs::SetParametersResponse>(
      "~/set_parameters", [this](const auto& request) {
        std::vector<gs_sim::Parameter> changed;
        msgs::SetParametersResponse response;
        for (const msgs::Parameter& wish : request.parameters)
          response.results.push_back(toResult(store_.set(parameterOf(wish), changed)));
        changed_(changed);
        return response;
      });
  node.serve<msgs::SetParametersAtomicallyRequest, msgs::SetParametersAtomicallyResponse>(
      "~/set_parameters_atomically", [this](const auto& request) {
        std::vector<gs_sim::Parameter> changed, wishes;
        for (const msgs::Parameter& wish : request.parameters) wishes.push_back(parameterOf(wish));
        msgs::SetParametersAtomicallyResponse response{
            .result = toResult(store_.setAtomically(wishes, changed))};
        changed_(changed);
        return response;
      });
}

void ParameterServer::publishAll() {
  msgs::ParameterEvent message = event();
  message.new_parameters = toMessages(store_.all());
  events_.publish(std::move(message));
}

void ParameterServer::publishChanges(const std::vector<gs_sim::Parameter>& changed) {
  if (changed.empty()) return;
  msgs::ParameterEvent message = event();
  message.changed_parameters = toMessages(changed);
  events_.publish(std::move(message));
}

msgs::ParameterEvent ParameterServer::event() const {
  const auto [sec, nanosec] = gs::toSecNanosec(now_());
  return {.stamp = {sec, nanosec}, .node = node_.name().full()};
}

}  // namespace gs_ros2
