// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/sensors.hpp"

namespace gs_sim {

// The LiDARs of a world, by rays against its ground and mesh. Copies what it needs of the bundle.
//
// A sweep begins at the stamp. With motion_during_sweep the vehicle moves on at the twist it has
// then, each column is shot from where the sensor is at its time, and points are given in the frame
// of the sensor at that time, as drivers do: whoever wants them in one frame has time_offset_ns.
// Without it all columns are shot at the stamp, and the offsets are zero.
//
// Intensity is 0 .. intensity_max of the sensor (255 where the calibration says nothing):
// reflectivity times the root of the cosine of incidence. The reflectivity is the mesh's where it
// has one (lidar_reflectivity.hpp), else the one of dry asphalt and plaster, and then it fades with
// the range. Where the calibration knows what the sensor usually measured, both are scaled to it.
// Noise and dropout depend on seed, LiDAR, step and ray alone.
//
// A pose outside the map gives the points that are in reach, perhaps none; a pose that is not
// finite gives a problem and no value. Throws gs::Error when a LiDAR cannot be simulated
// (INVALID_CALIBRATION, see makeLidarPattern) or the surfaces do not fit into memory.
std::unique_ptr<LidarGeneratorInterface> createLidarGenerator(
    const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters);

}  // namespace gs_sim
