// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/heightmap_file.hpp"
#include "gs/bundle/render_config.hpp"
#include "gs/bundle/timebase.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/formats/png.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/ego_way.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/seen_splats.hpp"
#include "gs_builder/stage.hpp"
#include "gs_builder/training_checkpoint.hpp"
#include "gs_builder/training_frames.hpp"
#include "gs_builder/training_report.hpp"

// gs_exporter: the Gaussians as the simulator reads them. Those of the best checkpoint where there
// was training (also of one that was interrupted), otherwise the coloured LiDAR map.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

std::optional<TrainingReport> findReport(const StageContext& context) {
  if (!context.config.pipeline.pipeline.enable_gs_training) return std::nullopt;
  const fs::path file = context.workspace.existing("03_gs_training") / "training_report.json";
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  auto report = readTrainingReport(file);
  return report.iterations.empty() ? std::nullopt : std::optional(std::move(report));
}

// Nothing moved when geometry_builder says nothing of it.
gs::MoversWay moversWay(const fs::path& geometry) {
  const fs::path moving = geometry / "moving_places.pcd";
  std::error_code ignored;
  if (!fs::is_regular_file(moving, ignored)) return {{}, {}, {}};
  return {gs::readPcd(*gs::openFile(moving)).positions,
          gs::readPcd(*gs::openFile(geometry / "point_cloud_map.pcd")).positions,
          gs::readHeightmapSamples(*gs::openFile(geometry / "heightmap.bin"),
                                   readDocument<gs::HeightmapMeta>(geometry / "heightmap.yaml"))};
}

void exportTrained(StageContext& context, const TrainingReport& report, const fs::path& folder) {
  const fs::path checkpoints = context.workspace.existing("03_gs_training") / report.checkpoint_dir;
  const gs::TrainingCheckpoint best = readCheckpoint(checkpoints, report.best_iteration);
  context.progress(0.3);
  const fs::path ingest = context.input("00_mcap_ingest");
  const auto calibration = readDocument<gs::Calibration>(
      context.input("01_calibration") / "calibration.yaml", gs::ErrorCode::InvalidCalibration);
  const EgoTrajectory trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  const fs::path geometry = context.input("05_geometry");
  gs::GaussianCloud cloud = keepSeen(
      best.cloud,
      trainingFrames(ingest, context.input("01_calibration"), geometry,
                     {.masks_moving = context.config.training.training.native.mask_moving}));
  const size_t seen = cloud.size();
  cloud = withoutMovers(cloud, moversWay(geometry));
  context.statistics["gaussians_in_movers_way_removed"] = seen - cloud.size();
  const auto above_ground = readDocument<gs::Timebase>(ingest / "timebase.yaml")
                                .base_link_above_ground.value_or(gs::BaseLinkAboveGround{});
  context.statistics["gaussians_in_own_way_removed"] =
      gs::carve(cloud, egoWay(trajectory, calibration, above_ground));
  const gs::GaussianDefects defects = gs::findDefects(cloud);
  if (cloud.size() == 0 || !defects.empty())
    throw gs::Error({.code = gs::ErrorCode::TrainingFailed,
                     .component = "gs_exporter",
                     .message = cloud.size() == 0
                                    ? "no splat of the checkpoint is seen by any camera"
                                    : fmt::format("{} splats of the checkpoint are not sound",
                                                  defects.non_finite + defects.non_unit),
                     .details = {{"iteration", report.best_iteration}},
                     .suggestion = "Train again; look into training_log.txt for what went wrong."});
  context.progress(0.8);
  gs::writeGaussianPly(folder / "background.splat.ply", cloud);
  gs::RenderConfig render;
  render.sh_degree = cloud.sh_degree;
  // What the trainer has behind its splats where there is no sky.
  render.rendering.background_color = {0.5, 0.5, 0.5};
  render.rendering.far_plane = 2000;
  if (!best.sky.pixels.empty())
    gs::writeFile(folder / "sky.png", std::string_view(gs::encodePng(best.sky)));
  gs::writeFile(folder / "render_config.json", gs::toText(gs::toJson(render)));
  context.statistics["gaussian_count"] = cloud.size();
  context.statistics["gaussians_pruned"] = best.cloud.size() - cloud.size();
  context.statistics["exported_iteration"] = report.best_iteration;
}

void exportInitial(StageContext& context, const fs::path& folder) {
  const fs::path initial = context.input("05_geometry") / "initial.splat.ply";
  std::error_code ignored;
  if (!fs::is_regular_file(initial, ignored))
    throw gs::Error({.code = gs::ErrorCode::CheckpointNotFound,
                     .component = "gs_exporter",
                     .message = "there is neither a training result nor '" + initial.string() + "'",
                     .details = {{"file", initial.string()}},
                     .suggestion = "Run geometry_builder or gs_training first."});
  const gs::GaussianPlyInfo info = gs::inspectGaussianPly(*gs::openFile(initial));
  gs::hardLinkOrCopy(initial, folder / "background.splat.ply");
  gs::RenderConfig render;
  render.sh_degree = info.sh_degree;
  // A LiDAR map has no sky: a light grey-blue says "sky" better than black does.
  render.rendering.background_color = {0.66, 0.74, 0.84};
  gs::writeFile(folder / "render_config.json", gs::toText(gs::toJson(render)));
  context.warnings.emplace_back(
      "nothing was trained: the Gaussians are those of the coloured LiDAR map");
  context.statistics["gaussian_count"] = info.count;
}

}  // namespace

void runGsExport(StageContext& context) {
  const fs::path folder = context.workspace.dir("04_gs_export");
  if (const auto report = findReport(context)) exportTrained(context, *report, folder);
  else exportInitial(context, folder);
}

}  // namespace gs_builder
