// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "apps/common/progress.hpp"
#include "gs_builder/build_config.hpp"
#include "gs_builder/pipeline.hpp"

// What build, doctor, run-step and rebuild have in common on the command line.
namespace apps {

struct ConfigArguments {
  std::string config, gs_config, geometry_config;
  std::string extrinsics;
  std::optional<double> min_duration, min_rate, max_wander;
  std::string quality;
};
// --config, --gs-config, --geometry-config, --min-duration, --min-rate, --max-wander, --extrinsics.
void addConfigOptions(CLI::App& command, ConfigArguments& arguments);
void addQualityOption(CLI::App& command, ConfigArguments& arguments);  // --quality
// The files that were named, else those beside the call, else defaults; flags win.
// `folder` is where the usual names are looked for.
gs_builder::BuildConfig loadConfig(const ConfigArguments& arguments,
                                   const std::filesystem::path& folder = ".");

// Tells on stderr what a build does: a bar with the time left on a terminal, one line per stage.
class BuildDisplay {
 public:
  gs_builder::BuildObserver observer();

 private:
  std::unique_ptr<Progress> progress_;
};

// The last words of a build, on stdout.
void printReport(const gs_builder::BuildReport& report, bool is_json);

}  // namespace apps
