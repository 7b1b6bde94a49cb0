// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/parameter_server.hpp"

namespace gs_ros2 {

namespace msgs = gs::msgs;

ParameterServer::ParameterServer(Node& node, gs_sim::ParameterStore& store,
                                 std::function<gs::Stamp()> now, Changed changed)
    : node_(node),
      store_(store),
      now_(std::move(now)),
      changed_(std::move(changed)),
      events_(node.advertise<msgs::ParameterEvent>("/parameter_events", {.depth = 1000})) {
  node.serve<msgs::GetParametersRequest, msgs::GetParametersResponse>(
      "~/get_parameters", [this](const auto& request) { return store_.get(request); });
  node.serve<msgs::GetParameterTypesRequest, msgs::GetParameterTypesResponse>(
      "~/get_parameter_types", [this](const auto& request) { return store_.types(request); });
  node.serve<msgs::ListParametersRequest, msgs::ListParametersResponse>(
      "~/list_parameters", [this](const auto& request) { return store_.list(request); });
  node.serve<msgs::DescribeParametersRequest, msgs::DescribeParametersResponse>(
      "~/describe_parameters", [this](const auto& request) { return store_.describe(request); });
  node.serve<msgs::SetParametersRequest, msgs::SetParametersResponse>(
      "~/set_parameters", [this](const auto& request) {
        std::vector<msgs::Parameter> changed;
        auto response = store_.set(request, changed);
        changed_(changed);
        return response;
      });
  node.serve<msgs::SetParametersAtomicallyRequest, msgs::SetParametersAtomicallyResponse>(
      "~/set_parameters_atomically", [this](const auto& request) {
        std::vector<msgs::Parameter> changed;
        auto response = store_.setAtomically(request, changed);
        changed_(changed);
        return response;
      });
}

void ParameterServer::publishAll() {
  msgs::ParameterEvent message = event();
  message.new_parameters = store_.all();
  events_.publish(std::move(message));
}

void ParameterServer::publishChanges(std::vector<msgs::Parameter> changed) {
  if (changed.empty()) return;
  msgs::ParameterEvent message = event();
  message.changed_parameters = std::move(changed);
  events_.publish(std::move(message));
}

msgs::ParameterEvent ParameterServer::event() const {
  const auto [sec, nanosec] = gs::toSecNanosec(now_());
  return {.stamp = {sec, nanosec}, .node = node_.name().full()};
}

}  // namespace gs_ros2
