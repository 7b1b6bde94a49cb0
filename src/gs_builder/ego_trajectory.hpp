// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/core/time.hpp"

namespace gs_builder {

struct StampedPose {
  gs::Stamp stamp;
  gs::Rigid3 map_from_base;
};

// Where the vehicle was at any time of the drive. Between two poses: a straight line and slerp.
class EgoTrajectory {
 public:
  // What is farther apart than this says nothing about the time between.
  static constexpr gs::Duration kMaxGap{1'000'000'000};
  // Beyond the first and the last pose the motion goes on as it was, but not for long: sweeps of a
  // LiDAR end after the last odometry.
  static constexpr gs::Duration kMaxExtrapolation{100'000'000};

  EgoTrajectory() = default;
  // Sorts; of poses less than a millisecond apart the first is kept.
  explicit EgoTrajectory(std::vector<StampedPose> poses);

  const std::vector<StampedPose>& poses() const { return poses_; }
  bool empty() const { return poses_.empty(); }
  std::optional<gs::Rigid3> at(gs::Stamp stamp) const;
  gs::Vec3 velocityAt(gs::Stamp stamp) const;  // m/s in base_link, over a tenth of a second

  double length() const;      // m driven
  size_t gaps() const;        // longer than kMaxGap
  double longestGap() const;  // s between two poses

 private:
  std::vector<StampedPose> poses_;
};

// raw_extract/poses.csv: "timestamp,x,y,z,qx,qy,qz,qw", stamps with nine decimals.
std::string toPosesCsv(const EgoTrajectory& trajectory);
// Throws gs::Error (INPUT_INVALID) naming the line that is not a pose.
EgoTrajectory parsePosesCsv(std::string_view text, const std::string& name);
EgoTrajectory readPosesCsv(const std::filesystem::path& file);

}  // namespace gs_builder
