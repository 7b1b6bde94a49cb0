// SPDX-License-Identifier: Apache-2.0
#include "beam_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gs/synthetic/drive_lidar.hpp"
#include "gs_builder/lidar_spec.hpp"

namespace gs {
namespace {

// The columns that the cloud of the log has.
LidarPoints toPoints(const DriveScan& scan, const CloudTraits& traits) {
  LidarPoints points;
  for (const LidarReturn& shot : scan.returns) {
    points.positions.push_back({shot.x, shot.y, shot.z});
    points.intensity.push_back(shot.intensity);
    if (traits.has_ring) points.ring.push_back(shot.ring);
  }
  return points;
}

// The guess is the specification, or has it beside its warnings.
template <typename Guess>
LidarSpec specOf(const Guess& guess) {
  if constexpr (requires { guess.spec; }) return guess.spec;
  else return guess;
}

std::vector<double> elevationsOf(const LidarSpec& spec) {
  return makeSpinningPattern(spec, 10, "beams").grid->elevations;
}

}  // namespace

BeamAgreement compareBeams(const SampleDriveTruth& truth, size_t stride) {
  const SampleDriveOptions& options = truth.options;
  const auto& [id, lidar] = *options.rig.lidars.begin();
  const TownRenderer renderer(truth.town);
  std::vector<LidarPoints> clouds;
  for (int64_t k = 0; toSeconds(lidarTime(options, id, k)) < options.seconds;
       k += static_cast<int64_t>(stride))
    clouds.push_back(toPoints(scanDrive(truth, renderer, id, k), options.clouds));
  const std::vector<double> found = elevationsOf(specOf(gs_builder::inferLidarSpec(clouds)));
  const std::vector<double> expected = elevationsOf(lidar.spec);
  BeamAgreement agreement{.beams = found.size(), .true_beams = expected.size()};
  if (found.size() != expected.size())
    agreement.largest_error_deg = std::numeric_limits<double>::quiet_NaN();
  else
    for (size_t i = 0; i < found.size(); ++i)
      agreement.largest_error_deg = std::max(
          agreement.largest_error_deg, std::abs(found[i] - expected[i]) * 180 / std::numbers::pi);
  return agreement;
}

}  // namespace gs
