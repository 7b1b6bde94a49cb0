// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/bundle/calibration.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/timeline.hpp"
#include "gs_builder/training_config.hpp"

// The training data as pure functions; the stage links the images and writes the texts.
namespace gs_builder {

struct DatasetImage {
  std::string camera;  // "camera_front"
  std::string source;  // in 00_mcap_ingest
  std::string file;    // in 02_drivesim_dataset: images/camera_front/0000000007.jpg
  int64_t frame_index = 0;
  gs::Stamp stamp;
  gs::Rigid3 map_from_camera;  // OpenCV axes
};

// Every image that a frame of the frameset names, once, by camera and index. The pose is that of
// the image's own stamp, not of the frame's.
std::vector<DatasetImage> datasetImages(const Frameset& frameset,
                                        const gs::Calibration& calibration,
                                        const EgoTrajectory& trajectory);

// Which of the images only measure quality and are never trained on: of each camera the last of
// every n, so that a short drive keeps its first images. None for 0.
std::vector<bool> heldOutOf(const std::vector<DatasetImage>& images, int every);

// One line per image: "frame_index timestamp tx ty tz qx qy qz qw", map_from_camera, OpenCV axes.
std::string toPosesText(const std::vector<DatasetImage>& images, const std::string& camera);
nlohmann::ordered_json toIntrinsicsJson(const gs::Calibration& calibration);
// Nerfstudio: camera-to-world with OpenGL axes (x right, y up, z backward), lens per frame.
nlohmann::ordered_json toNerfstudioJson(const std::vector<DatasetImage>& images,
                                        const gs::Calibration& calibration);

// What made the Gaussians: "native-0.1.0", or the kind of foreign trainer.
std::string trainerCommit(const TrainingConfig& config);

}  // namespace gs_builder
