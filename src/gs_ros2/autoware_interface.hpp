// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "gs_ros2/node.hpp"
#include "gs_sim/autoware_topics.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/types.hpp"

namespace gs_ros2 {

// What Autoware says to a vehicle: commands under /control/command, who is in charge. It replaces
// /vehicle/control_cmd; what the vehicle reports are topics like any other (autoware_topics.hpp).
class AutowareInterface {
 public:
  // `receive` gets the commands that are to be obeyed, on a thread of DDS.
  AutowareInterface(Node& node, const gs_sim::CommandTopic& commands,
                    const gs_sim::VehicleParameters& parameters,
                    std::shared_ptr<gs_sim::AutowareVehicle> vehicle,
                    std::function<void(const gs_sim::ControlInput&)> receive);

  Reader& commands() const { return *commands_; }

 private:
  bool take(const gs_sim::CommandTopic& topic, const gs_sim::VehicleParameters& parameters,
            gs::Bytes bytes);

  std::shared_ptr<gs_sim::AutowareVehicle> vehicle_;
  std::function<void(const gs_sim::ControlInput&)> receive_;
  Reader* commands_ = nullptr;
};

}  // namespace gs_ros2
