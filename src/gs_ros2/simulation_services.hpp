// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_ros2/environment.hpp"
#include "gs_ros2/node.hpp"
#include "gs_sim/simulation_host.hpp"

namespace gs_ros2 {

constexpr const char* kEgoName = "ego";

// gs_sim/simulation_services.hpp on this wire.
void serveSimulation(Node& node, gs_sim::SimulationHost& host);

// The standard simulation interfaces, for tools that know no gs_sim_msgs. Their version decides
// which types are announced; requests of both are understood.
void serveStandardInterfaces(Node& node, gs_sim::SimulationHost& host,
                             StandardInterfaces version = StandardInterfaces::V2);

}  // namespace gs_ros2
