// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/dataset.hpp"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"

namespace gs_builder {
namespace {

nlohmann::ordered_json lensOf(const gs::CameraCalibration& camera) {
  const gs::CameraIntrinsics& lens = camera.intrinsics;
  const bool is_fisheye = lens.distortion_model == gs::DistortionModel::Equidistant;
  const bool is_rational = lens.distortion_model == gs::DistortionModel::Rational;
  nlohmann::ordered_json json;
  json["camera_model"] = is_fisheye ? "OPENCV_FISHEYE" : is_rational ? "FULL_OPENCV" : "OPENCV";
  json["w"] = camera.image_width;
  json["h"] = camera.image_height;
  json["fl_x"] = lens.fx;
  json["fl_y"] = lens.fy;
  // Nerfstudio counts from the corner of the first pixel, OpenCV from its centre.
  json["cx"] = lens.cx + 0.5;
  json["cy"] = lens.cy + 0.5;
  json["k1"] = lens.k1;
  json["k2"] = lens.k2;
  if (is_fisheye || lens.k3) json["k3"] = lens.k3.value_or(0);
  if (is_fisheye || is_rational) json["k4"] = lens.k4.value_or(0);
  if (is_rational) {
    json["k5"] = lens.k5.value_or(0);
    json["k6"] = lens.k6.value_or(0);
  }
  if (!is_fisheye) {
    json["p1"] = lens.p1;
    json["p2"] = lens.p2;
  }
  return json;
}

}  // namespace

std::vector<DatasetImage> datasetImages(const Frameset& frameset,
                                        const gs::Calibration& calibration,
                                        const EgoTrajectory& trajectory) {
  std::map<std::pair<std::string, int64_t>, const FrameTrigger*> triggers;
  for (const Frame& frame : frameset.frames)
    for (const auto& [name, trigger] : frame.sensors)
      triggers[{name, trigger.frame_index}] = &trigger;
  std::vector<DatasetImage> images;
  for (const auto& [id, camera] : calibration.cameras) {
    const gs::Rigid3 base_from_camera = camera.extrinsics.baseFromSensor();
    const std::string name = cameraName(id);
    for (auto at = triggers.lower_bound({name, 0}); at != triggers.end() && at->first.first == name;
         ++at) {
      const FrameTrigger& trigger = *at->second;
      const auto pose = trajectory.at(trigger.stamp);
      if (!pose) continue;
      const std::string extension = std::filesystem::path(trigger.file_path).extension().string();
      images.push_back(
          {.camera = name,
           .source = trigger.file_path,
           .file = fmt::format("images/{}/{:010}{}", name, trigger.frame_index, extension),
           .frame_index = trigger.frame_index,
           .stamp = trigger.stamp,
           .map_from_camera = *pose * base_from_camera});
    }
  }
  return images;
}

std::vector<bool> heldOutOf(const std::vector<DatasetImage>& images, int every) {
  std::vector<bool> is_held_out(images.size(), false);
  std::map<std::string, int> counts;
  for (size_t i = 0; i < images.size(); ++i) {
    const int rank = counts[images[i].camera]++;
    is_held_out[i] = every > 0 && rank % every == every - 1;
  }
  return is_held_out;
}

std::string toPosesText(const std::vector<DatasetImage>& images, const std::string& camera) {
  std::string text = "# frame_index timestamp tx ty tz qx qy qz qw (map_from_camera, OpenCV)\n";
  for (const DatasetImage& image : images) {
    if (image.camera != camera) continue;
    const gs::Vec3& t = image.map_from_camera.translation;
    const auto q = gs::toXyzw(image.map_from_camera.rotation);
    text +=
        fmt::format("{} {} {} {} {} {} {} {} {}\n", image.frame_index,
                    gs::toDecimalSeconds(image.stamp), t.x(), t.y(), t.z(), q[0], q[1], q[2], q[3]);
  }
  return text;
}

nlohmann::ordered_json toIntrinsicsJson(const gs::Calibration& calibration) {
  nlohmann::ordered_json json;
  json["version"] = "1.0.0";
  json["cameras"] = nlohmann::ordered_json::object();
  for (const auto& [id, camera] : calibration.cameras) {
    auto& entry = json["cameras"][cameraName(id)];
    entry["image_width"] = camera.image_width;
    entry["image_height"] = camera.image_height;
    const auto lens = gs::toJson(camera.intrinsics);
    for (const auto& [key, value] : lens.items()) entry[key] = value;
  }
  return json;
}

nlohmann::ordered_json toNerfstudioJson(const std::vector<DatasetImage>& images,
                                        const gs::Calibration& calibration) {
  std::map<std::string, nlohmann::ordered_json> lenses;
  for (const auto& [id, camera] : calibration.cameras) lenses[cameraName(id)] = lensOf(camera);
  nlohmann::ordered_json json;
  json["camera_model"] = lenses.empty() ? "OPENCV" : lenses.begin()->second["camera_model"];
  json["orientation_override"] = "none";
  json["frames"] = nlohmann::ordered_json::array();
  for (const DatasetImage& image : images) {
    auto frame = lenses.at(image.camera);
    gs::Mat4 m = image.map_from_camera.matrix();
    m.col(1) *= -1;  // y down to y up
    m.col(2) *= -1;  // z forward to z backward
    auto rows = nlohmann::ordered_json::array();
    for (int row = 0; row < 4; ++row) rows.push_back({m(row, 0), m(row, 1), m(row, 2), m(row, 3)});
    nlohmann::ordered_json entry;
    entry["file_path"] = image.file;
    for (const auto& [key, value] : frame.items()) entry[key] = value;
    entry["transform_matrix"] = std::move(rows);
    json["frames"].push_back(std::move(entry));
  }
  return json;
}

std::string trainerCommit(const TrainingConfig& config) {
  switch (config.training.backend) {
    case TrainingBackend::DriveStudio: return "drivestudio-e59bda4";
    case TrainingBackend::Command: return "command";
    case TrainingBackend::Native: break;
  }
  return "native-" + std::string(gs::buildVersion());
}

}  // namespace gs_builder
