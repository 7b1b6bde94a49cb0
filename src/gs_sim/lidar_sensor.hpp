// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

// LiDARs by rays against the world's ground and mesh (gs/lidar/lidar_model.hpp). Each publishes
// points.
//
// A sweep begins at the stamp. With motion_during_sweep the vehicle moves on at the twist it has
// then; without it the sensor rests, and the offsets of points are zero. A pose outside the map
// gives the points that are in reach, perhaps none; one that fails in a step gives an empty cloud.
// A LiDAR that cannot be simulated is refused (INVALID_CALIBRATION, see makeLidarPattern).
SensorKind lidarKind();

// INVALID_POINTCLOUD_SIZE and why, for a scan that no sweep can have made; empty for all others.
std::string problemWithSize(const LidarScan& scan, size_t most_points);

}  // namespace gs_sim
