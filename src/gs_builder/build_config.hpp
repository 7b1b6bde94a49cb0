// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gs_builder/geometry_config.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/training_config.hpp"

namespace gs_builder {

// The three configurations of a build, and the files they came from ("" for defaults).
struct BuildConfig {
  PipelineConfig pipeline;
  TrainingConfig training;
  GeometryConfig geometry;
  std::string pipeline_file, training_file, geometry_file;
};

// Where to look. A file that was asked for must exist; otherwise the usual name in `folder` is read
// when it is there, and defaults hold when it is not.
struct ConfigFiles {
  std::optional<std::filesystem::path> pipeline, training, geometry;
  std::filesystem::path folder = ".";
};
// Throws CONFIG_INVALID. Inputs that the pipeline file names are not looked for: flags may replace
// them.
BuildConfig loadBuildConfig(const ConfigFiles& files);

// As one document with the keys pipeline, training and geometry: what the build report freezes.
nlohmann::ordered_json frozenConfig(const BuildConfig& config);
// Throws CONFIG_INVALID when the document is not one that frozenConfig wrote.
BuildConfig thawConfig(const nlohmann::ordered_json& frozen, const std::string& name);

}  // namespace gs_builder
