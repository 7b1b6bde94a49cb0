// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/drive_options.hpp"

namespace gs {

// Which kind of log a drive is.
enum class DrivePreset {
  Sample,  // kind: even beams, exact poses, base_link on the ground
  Real     // mean: the traits that logs of real cars have
};
constexpr auto enumWords(std::type_identity<DrivePreset>) {
  return std::to_array<EnumWord<DrivePreset>>(
      {{DrivePreset::Sample, "sample"}, {DrivePreset::Real, "real"}});
}

SampleDriveOptions driveOptionsFor(DrivePreset preset, uint64_t seed = 1);

// Front, left and right cameras of 800 x 450 at 12 Hz, a 32-beam LiDAR at 20 Hz.
Calibration makeSampleRig();
// Two wide cameras side by side and a 64-beam LiDAR, all at 9.68 Hz, on a base_link that is an
// IMU above the rear axle; with an IMU that is mounted turned, an antenna and wheel odometry that
// all err. No two LiDARs are alike: the seed says how its beams deviate.
Calibration makeRealRig(const BaseLinkAboveGround& base, uint64_t seed);

// Six cameras like the preset's first one all around, and a second LiDAR low at the rear.
void mountSurroundRig(SampleDriveOptions& options);

}  // namespace gs
