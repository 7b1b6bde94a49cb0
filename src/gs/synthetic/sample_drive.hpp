// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "gs/synthetic/drive_motion.hpp"
#include "gs/synthetic/drive_presets.hpp"
#include "gs/synthetic/drive_timing.hpp"
#include "gs/synthetic/town.hpp"

namespace gs {

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
// frames that have one), <thing>/<lidar>.csv for every Thing that is not Still (indices of the
// points on it, one line per scan) and movers.csv. `progress` gets 0..1 from time to time.
void writeSampleDrive(const std::filesystem::path& log, const SampleDriveOptions& options,
                      const std::function<void(double)>& progress = {});

}  // namespace gs
