// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gs/core/image.hpp"
#include "gs/geometry/posed_scan.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/recorded_sensors.hpp"

// Scans and images of 00_mcap_ingest, file by file, for the stages that look at them.
namespace gs_builder {

// A scan of the workspace: what is needed to load it.
struct ScanFile {
  gs::Stamp stamp;
  std::filesystem::path file;
  gs::Vec3 sensor_in_base;  // in the middle of the sweep
  size_t lidar = 0;         // index in RecordedSensors::lidars
};

// Those of all LiDARs with a pose, by time.
std::vector<ScanFile> listScans(const std::filesystem::path& ingest, const RecordedSensors& sensors,
                                const gs::Calibration& calibration,
                                const EgoTrajectory& trajectory);
gs::PosedScan loadScan(const ScanFile& scan, const EgoTrajectory& trajectory);

// Three channels, whatever the file has.
gs::Image8 readRgb(const std::filesystem::path& file);

}  // namespace gs_builder
