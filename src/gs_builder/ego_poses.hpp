// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_builder/sensor_plan.hpp"

namespace gs_builder {

struct EgoPoses {
  EgoTrajectory trajectory;
  std::string source;  // "/odom, carried to map by TF", for people
  std::vector<std::string> warnings;
};

// Poses of base_link in the map: those of the plan's topic, carried to the map and to base_link by
// TF where their own frames are others; or TF alone when there is no topic. Empty when neither
// reaches from the map to the vehicle.
EgoPoses findEgoPoses(const LogDigest& digest, const SensorPlan& plan);

}  // namespace gs_builder
