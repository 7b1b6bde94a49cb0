// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gs/core/time.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs_ros2/node.hpp"
#include "gs_sim/parameter_store.hpp"

namespace gs_ros2 {

gs::msgs::ParameterValue toMessage(const gs_sim::ParameterValue& value);
std::vector<gs::msgs::Parameter> toMessages(const std::vector<gs_sim::Parameter>& parameters);
// Nothing for a type that ROS does not have.
gs_sim::ParameterValue fromMessage(const gs::msgs::ParameterValue& message);

// What `ros2 param list` and `describe` get.
gs::msgs::ListParametersResponse listParameters(const gs_sim::ParameterStore& store,
                                                const gs::msgs::ListParametersRequest& request);
gs::msgs::ParameterDescriptor describeParameter(const gs_sim::ParameterStore& store,
                                                const std::string& name);

// The six parameter services of a node and /parameter_events, over one store.
class ParameterServer {
 public:
  using Changed = std::function<void(const std::vector<gs_sim::Parameter>&)>;
  // `now` gives the stamps of events; `changed` is told what was set, and publishes it.
  ParameterServer(Node& node, gs_sim::ParameterStore& store, std::function<gs::Stamp()> now,
                  Changed changed);

  // Everything that is declared, as new; once, when the node is complete.
  void publishAll();
  void publishChanges(const std::vector<gs_sim::Parameter>& changed);

 private:
  void serveReading(Node& node);
  void serveSetting(Node& node);
  gs::msgs::ParameterEvent event() const;

  Node& node_;
  gs_sim::ParameterStore& store_;
  std::function<gs::Stamp()> now_;
  Changed changed_;
  Publisher<gs::msgs::ParameterEvent> events_;
};

}  // namespace gs_ros2
