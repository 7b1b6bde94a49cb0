// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gs/core/commented_yaml.hpp"
#include "gs/core/load_config.hpp"
#include "gs_builder/geometry_config.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/training_config.hpp"

// The builder's three configuration files. Load one with gs::loadConfig<PipelineConfig>(file).
namespace gs_builder {

enum class ConfigKind { Pipeline, Training, Geometry };
constexpr auto enumWords(std::type_identity<ConfigKind>) {
  return std::to_array<gs::EnumWord<ConfigKind>>({{ConfigKind::Pipeline, "pipeline"},
                                                  {ConfigKind::Training, "training"},
                                                  {ConfigKind::Geometry, "geometry"}});
}
std::optional<ConfigKind> findConfigKind(std::string_view word);
const char* usualFileName(ConfigKind kind);  // "gs_training_config.yaml"

// The kind whose keys `root` uses most; where that decides nothing, the file's name. Nothing when
// both are silent.
std::optional<ConfigKind> recogniseKind(const gs::Node& root, const std::filesystem::path& file);

// How many of the keys of this kind the file sets; the others keep their defaults.
struct KeyCount {
  int set = 0;
  int defaults = 0;
};
KeyCount countKeys(const gs::Node& root, ConfigKind kind);

// Adds everything that is wrong with the document, taken as this kind, to its problems.
void checkConfig(gs::ConfigDocument& document, ConfigKind kind);

// The file people start from: what the shipped configuration files are made of.
std::string defaultConfigText(ConfigKind kind, gs::YamlDetail shown = gs::YamlDetail::Common);

}  // namespace gs_builder
