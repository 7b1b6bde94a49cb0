// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/build_arguments.hpp"

#include <iostream>

#include <fmt/format.h>

#include "gs/core/load_config.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/training_presets.hpp"

namespace apps {
namespace fs = std::filesystem;

void addConfigOptions(CLI::App& command, ConfigArguments& arguments) {
  command.add_option("--config", arguments.config,
                     "Pipeline configuration; by default config.yaml here, if there is one");
  command.add_option("--gs-config", arguments.gs_config,
                     "Training configuration; by default gs_training_config.yaml here");
  command.add_option("--geometry-config", arguments.geometry_config,
                     "Geometry configuration; by default geometry_config.yaml here");
  const gs_builder::PipelineConfig::Quality gates;
  command.add_option("--min-duration", arguments.min_duration,
                     fmt::format("Accept logs shorter than {:g} s, down to this many seconds "
                                 "(quality.min_duration_sec)",
                                 gates.min_duration_sec));
  command.add_option("--min-rate", arguments.min_rate,
                     fmt::format("Accept sensors slower than {:g} Hz, down to this many "
                                 "(quality.min_rate_hz)",
                                 gates.min_rate_hz));
  command.add_option(
      "--max-wander", arguments.max_wander,
      fmt::format("Accept ego poses that leave what the LiDAR saw by more than {:g} m "
                  "(quality.max_pose_wander_m)",
                  gates.max_pose_wander_m));
  command.add_option("--extrinsics", arguments.extrinsics,
                     "Mounts of sensors that the log lacks (input.extrinsics_file)");
}

void addQualityOption(CLI::App& command, ConfigArguments& arguments) {
  std::vector<std::string> words;
  for (const auto& [quality, word] : enumWords(std::type_identity<gs_builder::TrainingQuality>()))
    words.emplace_back(word);
  command
      .add_option("--quality", arguments.quality,
                  "How long training may take: draft (minutes), standard, high (a night); sets "
                  "iterations, schedules and budgets of the training configuration")
      ->check(CLI::IsMember(words));
}

gs_builder::BuildConfig loadConfig(const ConfigArguments& arguments, const fs::path& folder) {
  const auto path = [](const std::string& text) {
    return text.empty() ? std::optional<fs::path>() : fs::path(text);
  };
  gs_builder::BuildConfig config =
      gs_builder::loadBuildConfig({.pipeline = path(arguments.config),
                                   .training = path(arguments.gs_config),
                                   .geometry = path(arguments.geometry_config),
                                   .folder = folder});
  auto& quality = config.pipeline.quality;
  if (arguments.min_duration) quality.min_duration_sec = *arguments.min_duration;
  if (arguments.min_rate) quality.min_rate_hz = *arguments.min_rate;
  if (arguments.max_wander) quality.max_pose_wander_m = *arguments.max_wander;
  if (!arguments.extrinsics.empty()) config.pipeline.input.extrinsics_file = arguments.extrinsics;
  for (const auto& [preset, word] : enumWords(std::type_identity<gs_builder::TrainingQuality>()))
    if (word == arguments.quality) applyPreset(preset, config.training);
  const auto problems = problemsIn(config.pipeline);
  if (!problems.empty()) throw gs::configError("the command line", problems);
  return config;
}

gs_builder::BuildObserver BuildDisplay::observer() {
  return {
      .begin = [this](const std::string& what) { progress_ = std::make_unique<Progress>(what); },
      .progress = [this](double fraction,
                         const std::string& status) { progress_->update(fraction, status); },
      .end =
          [this](const std::string& what, double seconds, bool is_skipped) {
            progress_.reset();
            if (is_skipped) std::cerr << fmt::format("{}: up to date, skipped\n", what);
            else std::cerr << fmt::format("{}: done in {:.1f} s\n", what, seconds);
          }};
}

void printReport(const gs_builder::BuildReport& report, bool is_json) {
  if (is_json) {
    std::cout << gs::toText(toJson(report));
    return;
  }
  for (const std::string& warning : report.warnings) std::cout << "\u26a0 " << warning << '\n';
  if (!report.output.empty())
    std::cout << fmt::format("\u2713 {} ({:.1f} MB, {} warnings)\n", report.output.string(),
                             static_cast<double>(report.output_bytes) / 1e6,
                             report.warnings.size());
}

}  // namespace apps
