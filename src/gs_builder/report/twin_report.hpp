// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "gs_builder/build_config.hpp"
#include "gs_builder/report/report_data.hpp"

// The measuring half of the twin report: the recorded drive once more, in the built world.
namespace gs_builder {

struct TwinReportOptions {
  EvaluationOptions evaluation;  // every, max_frames, workspace; its functions are replaced
  size_t max_scans = 24;         // per LiDAR, evenly chosen; 0: all
  std::function<void(double fraction, const std::string& status)> progress;
};

// Without build, provenance, warnings of the build, commands. Throws INSUFFICIENT_DATA like
// evaluateWorld; a LiDAR that cannot be compared is a warning.
TwinReport measureTwin(const gs::WorldBundle& world, const RecordedDrive& drive,
                       const BuildConfig& config, const TwinReportOptions& options,
                       const DriveTruth& truth);

// What build_report.json of a bundle tells: fills build, provenance, warnings and the build's part
// of timing, as far as they are there. Anything strange in the file is left out.
void addBuildFacts(TwinReport& report, const gs::WorldBundle& world, const BuildConfig& config,
                   const std::filesystem::path& build_report);

DriveFacts driveFacts(const EgoTrajectory& trajectory);

}  // namespace gs_builder
