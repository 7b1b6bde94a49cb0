// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/scan_sampler.hpp"

// Whether the poses of a drive can be right: against what the LiDAR saw, and against each other.
namespace gs_builder {

// Where two paths are farthest apart when one is turned and shifted onto the other as well as it
// goes (in the plane: a height that is missing is no wander).
struct PathDistance {
  double distance = 0;  // m
  gs::Stamp at;
};
// Nothing when they have less than a second in common.
std::optional<PathDistance> distanceBetween(const EgoTrajectory& a, const EgoTrajectory& b);

// Poses of one source against the LiDAR: how far the vehicle really moved between two scans is
// found by laying one onto the other (point to plane), and the differences add up along the drive.
struct PoseFit {
  std::string source;  // a topic, or "TF"
  size_t pairs = 0;    // of scans that could be laid onto each other; 0: nothing is known
  double step = 0;     // m, median difference within a pair
  double wander = 0;   // m, largest distance between its path and the one that the scans give when
                       // both begin together
  gs::Stamp worst;     // where that is
};

// A pair of scans with the poses of their LiDAR in base_link and the times of both.
struct TimedPair {
  gs::Stamp first, second;
  ScanPair scans;
};

// How each source fits the scans; in the order of `sources`. The work is shared: scans are laid
// onto each other once, whoever is judged by them.
struct PoseSource {
  std::string name;
  const EgoTrajectory* trajectory = nullptr;
};
std::vector<PoseFit> fitPoses(const std::vector<PoseSource>& sources,
                              const std::vector<TimedPair>& pairs,
                              const gs::Rigid3& base_from_lidar);

// first_from_second that lays the second scan onto the first, starting from a guess; nothing when
// they do not show the same place. Directions that the scans say nothing about stay as guessed.
std::optional<gs::Rigid3> layScans(const ThinScan& first, const ThinScan& second,
                                   const gs::Rigid3& guess);

}  // namespace gs_builder
