// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/stage.hpp"

#include "gs/core/error.hpp"
#include "gs/core/write_fields.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

using Settings = nlohmann::ordered_json;

// Topics, frames, time range, ingest and gates: everything that decides which frames are made.
Settings ingestSettings(const BuildConfig& config) {
  const PipelineConfig& pipeline = config.pipeline;
  return {gs::toJson(pipeline.topics),     gs::toJson(pipeline.frames),
          gs::toJson(pipeline.time_range), gs::toJson(pipeline.ingest),
          gs::toJson(pipeline.quality),    gs::toJson(pipeline.lidar_specs)};
}
Settings calibrationSettings(const BuildConfig& config) {
  return {gs::toJson(config.pipeline.origin), gs::toJson(config.pipeline.ingest)};
}
Settings datasetSettings(const BuildConfig& config) {
  return {gs::wordOf(config.training.training.backend)};
}
Settings trainingSettings(const BuildConfig& config) { return gs::toJson(config.training); }
Settings exportSettings(const BuildConfig& config) {
  return {gs::toJson(config.training), config.pipeline.pipeline.enable_gs_training};
}
Settings geometrySettings(const BuildConfig& config) { return gs::toJson(config.geometry); }
// The packer always runs: it is where the bundle and its validation come from.
Settings packerSettings(const BuildConfig&) { return nullptr; }

}  // namespace

fs::path StageContext::input(const std::string& folder) const {
  const fs::path path = workspace.existing(folder);
  std::error_code ignored;
  if (!findStamp(path))
    throw gs::Error(
        {.code = gs::ErrorCode::FileMissing,
         .component = "workspace",
         .message = fs::is_directory(path, ignored)
                        ? "'" + path.string() + "' is not complete: its stage did not finish"
                        : "there is no '" + path.string() + "'",
         .details = {{"folder", path.string()}},
         .suggestion = "Run the stage that makes " + folder + " first (or the whole build)."});
  return path;
}

const std::vector<Stage>& stages() {
  using P = PipelineConfig::Pipeline;
  static const std::vector<Stage> table = {
      {"mcap_ingest",
       "mcap_ingest",
       "00_mcap_ingest",
       {},
       2,
       &P::enable_mcap_ingest,
       ingestSettings,
       runMcapIngest},
      {"calibration_builder",
       "calibration_builder",
       "01_calibration",
       {"00_mcap_ingest"},
       1,
       &P::enable_calibration_builder,
       calibrationSettings,
       runCalibrationBuilder},
      {"drivesim_converter",
       "drivesim_dataset_converter",
       "02_drivesim_dataset",
       {"00_mcap_ingest", "01_calibration"},
       2,
       &P::enable_drivesim_converter,
       datasetSettings,
       runDrivesimConverter},
      {"geometry_builder",
       "geometry_builder",
       "05_geometry",
       {"00_mcap_ingest", "01_calibration"},
       3,
       &P::enable_geometry_builder,
       geometrySettings,
       runGeometryBuilder},
      {"gs_training",
       "gs_train_orchestrator",
       "03_gs_training",
       {"00_mcap_ingest", "01_calibration", "02_drivesim_dataset", "05_geometry"},
       2,
       &P::enable_gs_training,
       trainingSettings,
       runGsTraining,
       true},
      {"gs_export",
       "gs_exporter",
       "04_gs_export",
       {"00_mcap_ingest", "01_calibration", "03_gs_training", "05_geometry"},
       3,
       &P::enable_gs_export,
       exportSettings,
       runGsExport},
      {"world_bundle_packer",
       "world_bundle_packer",
       "06_world_bundle",
       {"00_mcap_ingest", "01_calibration", "04_gs_export", "05_geometry"},
       2,
       &P::enable_world_bundle_packer,
       packerSettings,
       runWorldBundlePacker},
  };
  return table;
}

const Stage* findStage(const std::string& name) {
  for (const Stage& stage : stages())
    if (name == stage.name || name == stage.component) return &stage;
  return nullptr;
}

}  // namespace gs_builder
