// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/time.hpp"
#include "gs/synthetic/drive_motion.hpp"
#include "gs/synthetic/town.hpp"

namespace gs {

// A drive through the synthetic town, logged as a car would log it. Same options, same bytes.
struct SampleDriveOptions {
  double seconds = 32;
  uint64_t seed = 1;
  double speed = 8;
  Calibration rig;  // empty: makeSampleRig()
  int jpeg_quality = 92;

  bool has_moving_objects = true;
  bool has_lidar_noise = true;      // 1 cm standard deviation along the ray
  bool has_exposure_drift = false;  // +-15 % over the drive, per camera
  bool has_odometry_noise = false;  // 1 cm, 0.05 degrees per message
  bool has_odometry_drift = false;  // 0.5 % of the distance, corrected by map -> odom

  bool operator==(const SampleDriveOptions&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("seconds", self.seconds);
    visit("seed", self.seed);
    visit("speed", self.speed);
    visit("rig", self.rig);
    visit("jpeg_quality", self.jpeg_quality);
    visit("has_moving_objects", self.has_moving_objects);
    visit("has_lidar_noise", self.has_lidar_noise);
    visit("has_exposure_drift", self.has_exposure_drift);
    visit("has_odometry_noise", self.has_odometry_noise);
    visit("has_odometry_drift", self.has_odometry_drift);
  }
};

// Front, left and right cameras of 800 x 450 at 12 Hz, a 32-beam LiDAR at 20 Hz.
Calibration makeSampleRig();

// Stamps of the log count from here (2026-03-01, 10:00 UTC).
constexpr Stamp kSampleDriveStart{1'772'359'200'000'000'000};

// What is true of a sample drive: everything the log was made from, at any time and from any pose.
struct SampleDriveTruth {
  explicit SampleDriveTruth(const SampleDriveOptions& options);

  SampleDriveOptions options;
  Town town;
  DriveMotion motion;
};

// The truth of a log written earlier, from the folder beside it (LOG.truth).
SampleDriveTruth readSampleDriveTruth(const std::filesystem::path& log);

// Writes the log, and beside it LOG.truth/: drive.json (the options), poses.csv (100 Hz),
// mesh.glb, drivable.geojson, moving/<camera>/<frame>.png (where a moving thing is seen, only
// frames that have one) and moving/<lidar>.csv (indices of points on moving things, one line per
// scan). `progress` gets 0..1 from time to time.
void writeSampleDrive(const std::filesystem::path& log, const SampleDriveOptions& options,
                      const std::function<void(double)>& progress = {});

}  // namespace gs
