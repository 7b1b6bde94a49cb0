// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs_builder/stage.hpp"

// gs_train_orchestrator: hands the dataset and the initial Gaussians (05_geometry) to a trainer. A
// trainer leaves checkpoints/, metrics.json and training_report.json; gs_export takes the best
// checkpoint of the report, and the initial Gaussians where there is no report.
namespace gs_builder {

void runGsTraining(StageContext& context) {
  const TrainingBackend backend = context.config.training.training.backend;
  context.input("02_drivesim_dataset");
  context.input("05_geometry");
  if (backend != TrainingBackend::Native)
    throw gs::Error({.code = gs::ErrorCode::TrainingFailed,
                     .component = "gs_train_orchestrator",
                     .message = "backend '" + std::string(gs::wordOf(backend)) +
                                "' cannot be started by this version",
                     .details = {{"backend", std::string(gs::wordOf(backend))}},
                     .suggestion = "Train with the files of 02_drivesim_dataset yourself and "
                                   "convert the result with 'gs-world-builder import', or set "
                                   "pipeline.enable_gs_training: false."});
  context.warnings.emplace_back(
      "this version has no native trainer: the Gaussians are those of the coloured LiDAR map");
  gs::writeFile(context.workspace.dir("03_gs_training") / "training_log.txt",
                "no trainer: Gaussians stay as initialised from the coloured LiDAR map\n");
}

}  // namespace gs_builder
