// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_sim/config.hpp"
#include "gs_sim/sensors.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

struct CreatedSensors {
  Sensors sensors;
  std::vector<std::string> warnings;  // for the log and the first status
};

// The sensors of a world that the parameters enable; those not enabled cost nothing. Throws
// gs::Error when one can never work (INVALID_CALIBRATION) or needs a GPU that is not there.
CreatedSensors createSensors(const WorldData& world, const SensorParameters& parameters);

}  // namespace gs_sim
