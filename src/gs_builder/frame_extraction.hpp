// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gs/formats/point_cloud2.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/sweep_timing.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {

struct ExtractedFrames {
  Timeline timeline;
  std::map<std::string, std::vector<gs::LidarPoints>> samples;  // by LiDAR id: some raw scans
  std::vector<std::string> warnings;
  uint64_t lidar_points = 0, non_finite_points = 0;
  size_t dropped_images = 0, dropped_scans = 0;
};

// Unpacks the messages that the diagnosis chose into raw_extract/images/<camera>/ and
// raw_extract/lidar/ (a folder per LiDAR when there are several), numbered without holes: what
// cannot be decoded gets no number. JPEG and PNG bytes are kept as they are; raw images become
// what `ingest` says; clouds are in base_link at their stamp. Memory is bounded by a batch.
ExtractedFrames extractFrames(const std::filesystem::path& log, const LogDigest& digest,
                              const Diagnosis& diagnosis,
                              const std::map<std::string, SweepTiming>& timing,
                              const PipelineConfig::Ingest& ingest,
                              const std::filesystem::path& folder,
                              const std::function<void(double)>& progress);

}  // namespace gs_builder
