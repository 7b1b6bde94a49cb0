// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/build_config.hpp"

#include <nlohmann/json.hpp>

#include "gs/core/load_config.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/config.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

template <typename Config>
Config loadOne(const std::optional<fs::path>& asked, const fs::path& folder, ConfigKind kind,
               std::string& file) {
  fs::path path = asked.value_or(folder / usualFileName(kind));
  std::error_code ignored;
  if (!asked && !fs::is_regular_file(path, ignored)) return {};
  file = path.string();
  return gs::loadConfig<Config>(path, gs::NamedFiles::AreNotChecked);
}

template <typename Config>
Config thawOne(const nlohmann::ordered_json& frozen, const char* key, const std::string& name) {
  if (!frozen.is_object() || !frozen.contains(key))
    throw gs::configError(name,
                          {{gs::Problem::Kind::MissingKey, std::string("frozen_config.") + key, 0,
                            "required, but not there"}});
  gs::ConfigDocument document = gs::parseConfigDocument(frozen[key].dump(), name);
  Config config = gs::readConfig<Config>(document, gs::NamedFiles::AreNotChecked);
  if (!document.problems.empty()) throw gs::configError(name, document.problems);
  return config;
}

}  // namespace

BuildConfig loadBuildConfig(const ConfigFiles& files) {
  BuildConfig config;
  config.pipeline = loadOne<PipelineConfig>(files.pipeline, files.folder, ConfigKind::Pipeline,
                                            config.pipeline_file);
  config.training = loadOne<TrainingConfig>(files.training, files.folder, ConfigKind::Training,
                                            config.training_file);
  config.geometry = loadOne<GeometryConfig>(files.geometry, files.folder, ConfigKind::Geometry,
                                            config.geometry_file);
  return config;
}

nlohmann::ordered_json frozenConfig(const BuildConfig& config) {
  nlohmann::ordered_json json;
  json["pipeline"] = gs::toJson(config.pipeline);
  json["training"] = gs::toJson(config.training);
  json["geometry"] = gs::toJson(config.geometry);
  return json;
}

BuildConfig thawConfig(const nlohmann::ordered_json& frozen, const std::string& name) {
  return {.pipeline = thawOne<PipelineConfig>(frozen, "pipeline", name),
          .training = thawOne<TrainingConfig>(frozen, "training", name),
          .geometry = thawOne<GeometryConfig>(frozen, "geometry", name),
          .pipeline_file = name,
          .training_file = name,
          .geometry_file = name};
}

}  // namespace gs_builder
