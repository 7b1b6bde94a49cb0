// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs_builder/build_config.hpp"
#include "gs_builder/stage.hpp"

namespace gs_builder {

// build_report.json: what was built from what, how long it took, what was noticed.
struct BuildReport {
  std::string scene_id;
  std::string build_time;  // ISO 8601
  InputLog input;
  double input_duration = 0;
  BuildConfig config;
  std::vector<std::pair<std::string, double>> processing_time;  // by stage, s
  std::vector<std::string> skipped;                             // stages that were up to date
  nlohmann::ordered_json statistics = nlohmann::ordered_json::object();
  bool is_success = false;
  bool is_bundle_valid = false;
  std::vector<std::string> errors, warnings;
  std::optional<gs::ErrorReport> error;
  std::filesystem::path output;
  uint64_t output_bytes = 0;
  int workers = 0;
};

nlohmann::ordered_json toJson(const BuildReport& report);

// The moment of the build, or SOURCE_DATE_EPOCH where that is set: the same build, bit for bit.
gs::Stamp buildMoment();

// What `rebuild` needs of a report. Throws gs::Error: INPUT_INVALID, CONFIG_INVALID.
struct RebuildFacts {
  BuildConfig config;
  std::filesystem::path input, output;
  std::string scene_id, md5;
};
RebuildFacts readRebuildFacts(const std::filesystem::path& report_file);

}  // namespace gs_builder
