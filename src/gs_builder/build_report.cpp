// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/build_report.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "gs/core/file.hpp"
#include "gs/core/time.hpp"
#include "gs/core/version.hpp"

namespace gs_builder {

gs::Stamp buildMoment() {
  if (const char* text = std::getenv("SOURCE_DATE_EPOCH"))
    if (const auto stamp = gs::findDecimalSeconds(text)) return *stamp;
  return {gs::wallClockNow().ns / 1'000'000'000 * 1'000'000'000};
}

nlohmann::ordered_json toJson(const BuildReport& report) {
  nlohmann::ordered_json json;
  json["version"] = "1.0.0";
  json["scene_id"] = report.scene_id;
  json["build_time"] = report.build_time;
  json["builder_version"] = "gs_world_builder-" + std::string(gs::buildVersion());
  json["input"] = {{"mcap_file", report.input.path.string()},
                   {"mcap_size_bytes", report.input.size_bytes},
                   {"mcap_duration_sec", report.input_duration},
                   {"mcap_md5", report.input.md5}};
  json["config"] = {{"config_file", report.config.pipeline_file},
                    {"gs_training_config_file", report.config.training_file},
                    {"geometry_config_file", report.config.geometry_file}};
  auto& times = json["processing_time"] = nlohmann::ordered_json::object();
  double total = 0;
  for (const auto& [stage, seconds] : report.processing_time) {
    times[stage + "_sec"] = seconds;
    total += seconds;
  }
  times["total_sec"] = total;
  json["skipped_stages"] = report.skipped;
  json["workers"] = report.workers;
  json["statistics"] = report.statistics;
  json["validation"] = {{"status", report.is_success ? "success" : "failed"},
                        {"world_bundle_valid", report.is_bundle_valid},
                        {"errors", report.errors},
                        {"warnings", report.warnings}};
  if (report.error) json["error"] = gs::toJson(*report.error)["error"];
  json["output"] = {{"world_bundle_dir", report.output.string()},
                    {"world_bundle_size_bytes", report.output_bytes}};
  json["frozen_config"] = frozenConfig(report.config);
  return json;
}

RebuildFacts readRebuildFacts(const std::filesystem::path& report_file) {
  const auto json = nlohmann::ordered_json::parse(gs::readTextFile(report_file, uint64_t{64} << 20),
                                                  nullptr, false);
  const auto text = [&](const char* section, const char* key) {
    const auto* node = &json;
    if (*section != '\0') {
      if (!json.is_object() || !json.contains(section)) return std::string();
      node = &json[section];
    }
    return node->is_object() && node->contains(key) && (*node)[key].is_string()
               ? (*node)[key].get<std::string>()
               : std::string();
  };
  RebuildFacts facts{.input = text("input", "mcap_file"),
                     .output = text("output", "world_bundle_dir"),
                     .scene_id = text("", "scene_id"),
                     .md5 = text("input", "mcap_md5")};
  if (facts.input.empty() || facts.scene_id.empty() || !json.contains("frozen_config"))
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "rebuild",
                     .message = "'" + report_file.string() + "' is not a build report",
                     .details = {{"file", report_file.string()}},
                     .suggestion = "Name the build_report.json of a bundle or of a workspace."});
  facts.config = thawConfig(json["frozen_config"], report_file.string());
  // As in the first build: their names are part of the bundle.
  facts.config.pipeline_file = text("config", "config_file");
  facts.config.training_file = text("config", "gs_training_config_file");
  facts.config.geometry_file = text("config", "geometry_config_file");
  return facts;
}

}  // namespace gs_builder
