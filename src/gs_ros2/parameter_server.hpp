// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gs/core/time.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/parameters.hpp"

namespace gs_ros2 {

// The six parameter services of a node and /parameter_events, over one store.
class ParameterServer {
 public:
  // `now` gives the stamps of events.
  ParameterServer(Node& node, ParameterStore& store, std::function<gs::Stamp()> now);

  // Everything that is declared, as new; once, when the node is complete.
  void publishAll();

 private:
  void publishChanges(std::vector<gs::msgs::Parameter> changed);
  gs::msgs::ParameterEvent event() const;

  Node& node_;
  ParameterStore& store_;
  std::function<gs::Stamp()> now_;
  Publisher<gs::msgs::ParameterEvent> events_;
};

}  // namespace gs_ros2
