// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/synthetic/lidar_sweep.hpp"
#include "gs/synthetic/sample_drive.hpp"

namespace gs {

// One cloud of a made drive, as its driver publishes it, with the truth of every point.
struct DriveScan {
  Stamp stamp;
  std::vector<LidarReturn> returns;  // in the sensor's frame at each shot, or at the stamp
};

// Cloud number k of a LiDAR. Pure: the same for any number of threads, in any order.
DriveScan scanDrive(const SampleDriveTruth& truth, const TownRenderer& renderer,
                    const std::string& lidar_id, int64_t k);

}  // namespace gs
