// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

// Every kind of sensor there is, in the order in which their messages are published.
const std::vector<SensorKind>& sensorKinds();

// Ids that the parameters name and the world does not have.
std::vector<gs::Problem> problemsWithIds(const SensorParameters& parameters,
                                         const gs::Calibration& calibration);

// The sensors of a world that the parameters choose, by kind and then by id; those not chosen cost
// nothing. Throws gs::Error: CONFIG_INVALID for ids that the world does not have, and what the
// kinds throw.
CreatedSensors createSensors(const WorldData& world, const SimulationParameters& parameters);

}  // namespace gs_sim
