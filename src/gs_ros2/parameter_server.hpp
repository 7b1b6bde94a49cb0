// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gs/core/time.hpp"
#include "gs_ros2/node.hpp"
#include "gs_sim/parameter_store.hpp"

namespace gs_ros2 {

// The six parameter services of a node and /parameter_events, over one store.
class ParameterServer {
 public:
  using Changed = std::function<void(const std::vector<gs::msgs::Parameter>&)>;
  // `now` gives the stamps of events; `changed` is told what was set, and publishes it.
  ParameterServer(Node& node, gs_sim::ParameterStore& store, std::function<gs::Stamp()> now,
                  Changed changed);

  // Everything that is declared, as new; once, when the node is complete.
  void publishAll();
  void publishChanges(std::vector<gs::msgs::Parameter> changed);

 private:
  gs::msgs::ParameterEvent event() const;

  Node& node_;
  gs_sim::ParameterStore& store_;
  std::function<gs::Stamp()> now_;
  Changed changed_;
  Publisher<gs::msgs::ParameterEvent> events_;
};

}  // namespace gs_ros2
