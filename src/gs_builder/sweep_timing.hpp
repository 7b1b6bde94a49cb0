// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "gs/formats/point_cloud2.hpp"
#include "gs_builder/doctor.hpp"

namespace gs_builder {

// When the points of a LiDAR's sweeps were measured.
struct SweepTiming {
  enum class Kind { PointTimes, Azimuth, None };

  Kind kind = Kind::None;
  double begin = 0, end = 0;  // s after the stamp, for Azimuth
};
std::string toString(const SweepTiming& timing);  // "point times", "azimuth, -50..0 ms", "none"

// Fills `time_offset` of a scan that has no times of its own, as `timing` says.
void setSweepTimes(const SweepTiming& timing, gs::LidarPoints& scan);

// A scan and where the vehicle was: what the sharpness of a map is judged by.
struct TimedScan {
  gs::Stamp stamp;
  gs::LidarPoints points;
};

// Of three readings (no motion, sweep begins at the stamp, sweep ends there) the one under which
// neighbouring scans agree best: their points fill the fewest voxels. A reading with motion must
// beat "no motion" clearly, because many logs are compensated already. The other two differ by a
// shift along the road that only curves show; where nothing decides, sweeps begin at their stamp,
// as most drivers have it. `groups` hold scans that follow one another.
SweepTiming chooseSweepTiming(const std::vector<std::vector<TimedScan>>& groups, double period,
                              const gs::Rigid3& base_from_lidar, const EgoTrajectory& trajectory);

// By LiDAR id. Reads some scans of the log where points carry no times.
std::map<std::string, SweepTiming> findSweepTimings(const std::filesystem::path& log,
                                                    const LogDigest& digest,
                                                    const Diagnosis& diagnosis,
                                                    const PipelineConfig& config);

}  // namespace gs_builder
