// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/simulation_host.hpp"

namespace gs_ros2 {

// What the services share, for both families of them.
struct ServiceContext {
  Node& node;
  SimulationHost& host;
  std::function<gs::msgs::WorldInfo()> world_info;
  std::function<void()> on_new_world;  // after a world was loaded
  std::function<void()> on_jump;       // after time or place were set
};

constexpr const char* kEgoName = "ego";

// /sim/reset_world, /sim/set_ego_pose, /sim/load_world, /sim/control, /sim/pause, resume, step.
void serveSimulation(const ServiceContext& context);

// The standard simulation interfaces, for tools that know no gs_sim_msgs.
void serveStandardInterfaces(const ServiceContext& context);

// Why a pose cannot be used; empty when it can.
std::string problemWithPose(const gs::msgs::Pose& pose);
gs_sim::EgoPose toEgoPose(const gs::msgs::Pose& pose);
// All zeros, or the identity that an empty request holds: the world's own start is meant.
bool isUnset(const gs::msgs::Pose& pose);

}  // namespace gs_ros2
