// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/sensors.hpp"

namespace gs_sim {

// The LiDARs of a world, by rays against its ground and mesh (gs/lidar/lidar_model.hpp). Copies
// what it needs of the bundle.
//
// A sweep begins at the stamp. With motion_during_sweep the vehicle moves on at the twist it has
// then; without it the sensor rests, and the offsets of points are zero.
//
// A pose outside the map gives the points that are in reach, perhaps none; a pose that is not
// finite gives a problem and no value. Throws gs::Error when a LiDAR cannot be simulated
// (INVALID_CALIBRATION, see makeLidarPattern) or the surfaces do not fit into memory.
std::unique_ptr<LidarGeneratorInterface> createLidarGenerator(
    const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters);

}  // namespace gs_sim
