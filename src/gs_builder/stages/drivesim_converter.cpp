// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gs/bundle/calibration.hpp"
#include "gs/core/file.hpp"
#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/drivestudio_dataset.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/stage.hpp"

// drivesim_dataset_converter: images, poses and lenses as trainers like them.
namespace gs_builder {
namespace fs = std::filesystem;

void runDrivesimConverter(StageContext& context) {
  const fs::path ingest = context.input("00_mcap_ingest");
  const auto calibration = readDocument<gs::Calibration>(
      context.input("01_calibration") / "calibration.yaml", gs::ErrorCode::InvalidCalibration);
  const Frameset frameset = readFrameset(ingest / "frameset.json");
  const EgoTrajectory trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  const std::vector<DatasetImage> images = datasetImages(frameset, calibration, trajectory);
  const fs::path folder = context.workspace.dir("02_drivesim_dataset");
  gs::createDirectories(folder / "poses");
  for (const auto& [id, camera] : calibration.cameras)
    gs::createDirectories(folder / "images" / cameraName(id));

  size_t done = 0;
  for (const DatasetImage& image : images) {
    gs::hardLinkOrCopy(ingest / image.source, folder / image.file);
    context.progress(static_cast<double>(++done) / static_cast<double>(images.size() + 1));
  }
  for (const auto& [id, camera] : calibration.cameras)
    gs::writeFile(folder / "poses" / (cameraName(id) + ".txt"),
                  toPosesText(images, cameraName(id)));
  gs::writeFile(folder / "intrinsics.json", gs::toText(toIntrinsicsJson(calibration)));
  gs::writeFile(folder / "transforms.json", gs::toText(toNerfstudioJson(images, calibration)));
  const bool is_drivestudio =
      context.config.training.training.backend == TrainingBackend::DriveStudio;
  if (is_drivestudio)
    writeDriveStudioDataset(ingest, folder / "drivestudio/000", frameset, calibration, trajectory);

  nlohmann::ordered_json config;
  config["version"] = "1.0.0";
  config["drivesim_commit"] = trainerCommit(context.config.training);
  config["mode"] = "background_only";
  config["camera_ids"] = nlohmann::ordered_json::array();
  for (const auto& [id, camera] : calibration.cameras)
    config["camera_ids"].push_back(cameraName(id));
  config["frame_count"] = images.size();
  gs::writeFile(folder / "dataset_config.json", gs::toText(config));
  context.statistics["num_dataset_images"] = images.size();
}

}  // namespace gs_builder
