// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs_sim/simulation_host.hpp"

namespace gs_sim {

// A service, for any wire that can carry bytes.
struct SimulationService {
  // Sends the answer; may be called later, at most once.
  using Respond = std::function<void(gs::Bytes)>;
  // On any thread: decodes the request and gives what to do with it in work(). Null when the bytes
  // are no such request.
  using Prepare = std::function<std::function<void()>(gs::Bytes, Respond)>;

  std::string name;  // "sim/pause"
  std::string type;  // "std_srvs/srv/Trigger"
  gs::RosTypeTree request, response;
  Prepare prepare;
};

// /sim/reset_world, /sim/set_ego_pose, /sim/load_world, /sim/control, /sim/pause, resume, step.
std::vector<SimulationService> simulationServices(SimulationHost& host);

EgoPose toEgoPose(const gs::msgs::Pose& pose);  // as it came, usable or not
// All zeros, or the identity that an empty request holds: the world's own start is meant.
bool isUnset(const gs::msgs::Pose& pose);

}  // namespace gs_sim
