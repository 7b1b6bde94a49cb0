// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "gs_builder/pipeline.hpp"

namespace apps {

inline constexpr const char* kTwinReportFile = "twin_report.html";

struct TwinReportRequest {
  std::filesystem::path world, log;
  std::filesystem::path output;     // empty: kTwinReportFile in the world
  std::filesystem::path workspace;  // of the build; may be empty
  size_t max_frames = 48, max_scans = 24;
  bool has_timing = true;
  bool workspace_stays = true;  // so that commands in the page may name it
};

struct WrittenReport {
  std::filesystem::path file;
  nlohmann::ordered_json statistics;  // for build_report.json
};

// The builder's measurements and the simulator's LiDAR in one page.
WrittenReport writeTwinReport(
    const TwinReportRequest& request,
    const std::function<void(double fraction, const std::string& status)>& progress);

// What `build` and `rebuild` do with a world at the end of their work.
void addTwinReport(gs_builder::BuildRequest& request);

}  // namespace apps
