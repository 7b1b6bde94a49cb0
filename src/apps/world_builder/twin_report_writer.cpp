// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/twin_report_writer.hpp"

#include <fmt/format.h>

#include "apps/common/simulated_ego.hpp"
#include "apps/common/true_drive.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/core/process_memory.hpp"
#include "gs_builder/build_report.hpp"
#include "gs_builder/report/report_page.hpp"
#include "gs_builder/report/twin_report.hpp"

namespace apps {
namespace fs = std::filesystem;
namespace {

// As a shell takes it.
std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-./,:=+@%") == word.npos;
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::string> commandsFor(const TwinReportRequest& request, bool has_build_report) {
  const std::string world = quoted(request.world.string()), log = quoted(request.log.string());
  std::string frames = fmt::format(" --max-frames {}", request.max_frames);
  if (!request.workspace.empty() && request.workspace_stays)
    frames += " --workspace " + quoted(request.workspace.string());
  std::vector<std::string> commands;
  if (has_build_report)
    commands.push_back("gs-world-builder rebuild --report " +
                       quoted((request.world / "build_report.json").string()));
  commands.push_back("gs-world-builder report " + world + " --log " + log + frames +
                     fmt::format(" --max-scans {}", request.max_scans));
  commands.push_back("gs-inspect evaluate " + world + " --log " + log + frames);
  return commands;
}

}  // namespace

WrittenReport writeTwinReport(const TwinReportRequest& request,
                              const std::function<void(double, const std::string&)>& progress) {
  constexpr double kReading = 0.1;  // of the whole work
  const fs::path build_report = request.world / "build_report.json";
  std::error_code ignored;
  const bool has_build_report = fs::is_regular_file(build_report, ignored);
  gs_builder::BuildConfig config;
  if (has_build_report) config = gs_builder::readRebuildFacts(build_report).config;
  const auto loaded = std::make_shared<const gs_sim::WorldData>(
      gs_sim::WorldData{request.world, gs::readBundle(request.world), {}});
  const gs::WorldBundle& world = loaded->bundle;
  const gs_builder::RecordedDrive drive(request.log, config.pipeline, [&](double fraction) {
    progress(kReading * fraction, "reading the log");
  });
  SimulatedEgo ego(loaded);
  gs_builder::TwinReportOptions options{
      .evaluation = {.every = config.training.training.held_out_every,
                     .max_frames = request.max_frames,
                     .workspace = request.workspace,
                     .simulate =
                         [&](const std::string& camera, const gs::Rigid3& pose,
                             const gs_builder::EgoMotion& motion) {
                           return ego.viewAt(camera, pose, motion);
                         }},
      .max_scans = request.max_scans,
      .progress = [&](double fraction, const std::string& status) {
        progress(kReading + (1 - kReading) * fraction, status);
      }};
  gs_builder::TwinReport report = measureTwin(
      world, drive, config, options, findTruthOf(request.log).value_or(gs_builder::DriveTruth{}));
  report.world = request.world.string();
  report.log = request.log.filename().string();
  if (world.metadata.source.size_bytes > 0 && fs::is_regular_file(request.log, ignored) &&
      fs::file_size(request.log, ignored) !=
          static_cast<uintmax_t>(world.metadata.source.size_bytes))
    report.warnings.push_back(
        "the log is not the one that the world was built from: its size differs");
  addBuildFacts(report, world, config, build_report);
  report.commands = commandsFor(request, has_build_report);
  if (request.has_timing) {
    report.timing->made_at = gs::toIso8601(gs_builder::buildMoment());
    report.timing->peak_memory_mb = static_cast<double>(gs::peakMemory() >> 20);
  } else {
    report.timing.reset();
  }
  const fs::path output = request.output.empty() ? request.world / kTwinReportFile : request.output;
  if (output.has_parent_path()) gs::createDirectories(output.parent_path());
  gs::writeFileAtomically(output, writeReportPage(report));
  return {output, statisticsOf(report.evaluation)};
}

void addTwinReport(gs_builder::BuildRequest& request) {
  request.write_twin_report = [world = request.output, log = request.input,
                               stays = request.keeps_workspace](const fs::path& workspace,
                                                                const auto& progress) {
    return writeTwinReport({.world = fs::absolute(world).lexically_normal(),
                            .log = fs::absolute(log).lexically_normal(),
                            .workspace = fs::absolute(workspace).lexically_normal(),
                            .workspace_stays = stays},
                           progress)
        .statistics;
  };
}

}  // namespace apps
