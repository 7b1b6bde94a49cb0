// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/twin_report_writer.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "apps/common/simulated_ego.hpp"
#include "apps/common/true_drive.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/process_memory.hpp"
#include "gs/lidar/lidar_pattern.hpp"
#include "gs_builder/build_report.hpp"
#include "gs_builder/report/report_page.hpp"
#include "gs_builder/report/twin_report.hpp"
#include "gs_sim/lidar_generator.hpp"

namespace apps {
namespace fs = std::filesystem;
namespace {

// The simulator's LiDARs, as the report wants them: at rest, without noise, as a grid.
class SimulatedLidars {
 public:
  explicit SimulatedLidars(const gs::WorldBundle& world) {
    generator_ = gs_sim::createLidarGenerator(world, gs_sim::SensorParameters::Lidar{});
    for (const auto& [id, lidar] : world.calibration.lidars)
      patterns_[id] = gs::makeLidarPattern(lidar.spec, lidar.rate_hz, id);
  }

  gs_builder::SweepGrid sweep(const std::string& id, const gs::Rigid3& map_from_base) const {
    gs_sim::EgoState ego;
    ego.pose = gs_sim::toEgoPose(map_from_base, {});
    const std::vector<std::string> ids{id};
    const auto outcome = generator_->generate(ids, ego, {});
    if (!outcome[0].value)
      throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                       .component = "report",
                       .message = outcome[0].problem,
                       .suggestion = "Check the world with 'gs-simulator check'."});
    const gs_sim::LidarScan& scan = *outcome[0].value;
    const gs::LidarPattern& pattern = patterns_.at(id);
    const size_t columns = pattern.grid->columns, rings = pattern.grid->elevations.size();
    gs_builder::SweepGrid grid{pattern.grid->elevations, columns,
                               std::vector<float>(columns * rings)};
    for (size_t i = 0; i < scan.size(); ++i) {
      const double turn = (1 - std::atan2(scan.y[i], scan.x[i]) / std::numbers::pi) / 2;
      const auto column = static_cast<size_t>(std::lround(turn * static_cast<double>(columns)));
      grid.ranges[column % columns * rings + scan.ring[i]] =
          std::hypot(scan.x[i], scan.y[i], scan.z[i]);
    }
    return grid;
  }

 private:
  std::unique_ptr<gs_sim::LidarGeneratorInterface> generator_;
  std::map<std::string, gs::LidarPattern> patterns_;
};

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
  const SimulatedLidars lidars(world);
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
      .simulate_sweep = [&](const std::string& id,
                            const gs::Rigid3& pose) { return lidars.sweep(id, pose); },
      .progress =
          [&](double fraction, const std::string& status) {
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
