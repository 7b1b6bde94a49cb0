// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gs/bundle/drivable_file.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/heightmap_file.hpp"
#include "gs/bundle/overview.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/bundle/spatial_extent.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"
#include "gs_builder/build_report.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/preview.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/stage.hpp"
#include "gs_builder/timeline.hpp"

// world_bundle_packer: everything in its place, looked at once more, and only then visible.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

// The part of metadata.json that calibration_builder wrote.
struct PartialMetadata {
  std::string version;
  gs::Metadata::CoordinateSystem coordinate_system;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("coordinate_system", self.coordinate_system, {.is_required = true});
  }
};

// 0 when nothing was trained.
int exportedIteration(const fs::path& splats) {
  const auto stamp = findStamp(splats);
  if (!stamp || !stamp->statistics.is_object()) return 0;
  return stamp->statistics.value("exported_iteration", 0);
}

gs::WorldBundle assemble(const StageContext& context) {
  const fs::path ingest = context.input("00_mcap_ingest");
  const fs::path calibration = context.input("01_calibration");
  const fs::path splats = context.input("04_gs_export");
  const fs::path geometry = context.input("05_geometry");
  gs::WorldBundle bundle;
  bundle.index.scene_id = context.scene_id;
  bundle.calibration = readDocument<gs::Calibration>(calibration / "calibration.yaml",
                                                     gs::ErrorCode::InvalidCalibration);
  bundle.tf_static = readDocument<gs::StaticTransforms>(calibration / "tf_static.json");
  bundle.timebase = readDocument<gs::Timebase>(ingest / "timebase.yaml");
  bundle.render_config = readDocument<gs::RenderConfig>(splats / "render_config.json");
  bundle.gaussians = gs::readGaussianPly(*gs::openFile(splats / "background.splat.ply"),
                                         bundle.render_config.attribute_encoding);
  std::error_code ignored;
  if (fs::is_regular_file(geometry / "base_link_above_ground.yaml", ignored)) {
    bundle.timebase.version = "1.1.0";
    bundle.timebase.base_link_above_ground =
        readDocument<gs::BaseLinkAboveGround>(geometry / "base_link_above_ground.yaml");
  }
  if (fs::is_regular_file(splats / "sky.png", ignored)) {
    bundle.index.gaussians.sky = "gaussians/sky.png";
    bundle.sky = gs::decodePng(gs::asBytes(gs::readTextFile(splats / "sky.png", uint64_t{1} << 28)),
                               "sky.png");
  }
  bundle.heightmap =
      gs::readHeightmapSamples(*gs::openFile(geometry / "heightmap.bin"),
                               readDocument<gs::HeightmapMeta>(geometry / "heightmap.yaml"));
  std::vector<gs::DrivableProblem> problems;
  bundle.drivable = gs::readDrivable(
      gs::readTextFile(geometry / "drivable.geojson", gs::kMaxJsonBytes), problems);
  if (fs::is_regular_file(geometry / "static_mesh.glb", ignored)) {
    bundle.index.geometry.static_mesh = "geometry/static_mesh.glb";
    bundle.static_mesh = gs::decodeGlb(
        gs::asBytes(gs::readTextFile(geometry / "static_mesh.glb", uint64_t{4} << 30)),
        "static_mesh.glb");
  }

  gs::Metadata& metadata = bundle.metadata;
  metadata.scene_id = context.scene_id;
  metadata.created_at = gs::toIso8601(buildMoment());
  metadata.builder_version = "gs_world_builder-" + std::string(gs::buildVersion());
  metadata.source = {.file = context.log.path.filename().string(),
                     .md5 = context.log.md5,
                     .size_bytes = static_cast<int64_t>(context.log.size_bytes)};
  const auto stamp = findStamp(ingest);
  if (stamp && stamp->statistics.is_object() && stamp->statistics.contains("duration_sec"))
    metadata.source.duration_sec = stamp->statistics["duration_sec"];
  metadata.coordinate_system =
      readDocument<PartialMetadata>(calibration / "metadata.json").coordinate_system;
  if (metadata.coordinate_system.origin_yaw) metadata.version = "1.2.0";
  metadata.spatial_extent = gs::extentOf(bundle);
  for (const auto& [id, camera] : bundle.calibration.cameras)
    metadata.sensors.cameras.push_back(id);
  for (const auto& [id, lidar] : bundle.calibration.lidars) metadata.sensors.lidars.push_back(id);
  metadata.processing_info = {
      .drivesim_commit = trainerCommit(context.config.training),
      .gs_training_iterations = exportedIteration(splats),
      .gs_training_config = fs::path(context.config.training_file).filename().string()};
  return bundle;
}

void addPreviews(const StageContext& context, const EgoTrajectory& trajectory,
                 gs::WorldBundle& bundle, const fs::path& folder) {
  const fs::path ingest = context.input("00_mcap_ingest");
  gs::createDirectories(folder / "preview");
  gs::writeFile(folder / "preview/overview.png",
                std::string_view(gs::encodePng(drawWorldPreview(bundle, trajectory, 1600))));
  bundle.index.preview = gs::WorldIndex::Preview{.overview = "preview/overview.png"};
  const Frameset frameset = readFrameset(ingest / "frameset.json");
  for (const auto& [id, camera] : bundle.calibration.cameras) {
    const std::string name = "preview/" + cameraName(id) + ".png";
    gs::writeFile(
        folder / name,
        std::string_view(gs::encodePng(drawCameraStrip(ingest, frameset, cameraName(id), 6))));
    bundle.index.preview->cameras.push_back(name);
  }
}

// The way of the recording, for a driver that follows it.
void addTrajectory(const StageContext& context, gs::WorldBundle& bundle, const fs::path& folder) {
  const fs::path poses = context.input("00_mcap_ingest") / "raw_extract/poses.csv";
  gs::createDirectories(folder / "sim");
  gs::hardLinkOrCopy(poses, folder / "sim/trajectory.csv");
  bundle.index.sim.trajectory = "sim/trajectory.csv";
}

void place(const fs::path& staged, const fs::path& output) {
  gs::StagedDirectory target(output);
  std::error_code why;
  for (fs::recursive_directory_iterator entry(staged, why), end; !why && entry != end;
       entry.increment(why)) {
    const fs::path to = target.path() / entry->path().lexically_relative(staged);
    if (entry->is_directory()) gs::createDirectories(to);
    else gs::hardLinkOrCopy(entry->path(), to);
  }
  target.commit();
}

}  // namespace

void runWorldBundlePacker(StageContext& context) {
  gs::WorldBundle bundle = assemble(context);
  context.progress(0.3);
  const fs::path folder = context.workspace.dir("06_world_bundle") / context.scene_id;
  gs::createDirectories(folder);
  const EgoTrajectory trajectory =
      readPosesCsv(context.input("00_mcap_ingest") / "raw_extract/poses.csv");
  addPreviews(context, trajectory, bundle, folder);
  addTrajectory(context, bundle, folder);
  context.progress(0.6);
  gs::writeBundleInto(folder, bundle);
  context.progress(0.8);

  const gs::ValidationReport report = gs::validateBundle(folder);
  for (const gs::Finding& finding : report.findings)
    if (finding.rule->severity == gs::Severity::Warning)
      context.warnings.push_back(
          fmt::format("{} {}: {}", finding.rule->id, finding.file, finding.message));
  context.statistics["world_bundle_valid"] = report.isValid();
  if (!report.isValid()) {
    if (context.validates) gs::throwInvalidBundle(report, gs::ErrorCode::ValidationFailed);
    context.warnings.push_back(
        fmt::format("the bundle breaks {} rules; validation is off", report.errorCount()));
  }
  if (context.check_world)
    if (const auto problem = context.check_world(bundle, trajectory)) {
      if (context.validates) throw gs::Error(*problem);
      context.warnings.push_back(problem->message);
    }
  context.statistics["heightmap_resolution"] = bundle.heightmap.resolution;
  context.statistics["gaussian_count"] = bundle.gaussians.size();
  if (!context.output.empty()) place(folder, context.output);
}

}  // namespace gs_builder
