// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/drivestudio_dataset.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/formats/png.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

std::string matrixText(const gs::Rigid3& transform) {
  const gs::Mat4 m = transform.matrix();
  std::string text;
  for (int row = 0; row < 4; ++row)
    text += fmt::format("{} {} {} {}\n", m(row, 0), m(row, 1), m(row, 2), m(row, 3));
  return text;
}

// DriveStudio takes every image for one of nuScenes and scales the lens with it, whatever size the
// image has: the lens is written as if the image were of that size.
std::string lensText(const gs::CameraCalibration& camera) {
  constexpr double kWidth = 1600, kHeight = 900;
  const gs::CameraIntrinsics& lens = camera.intrinsics;
  if (lens.distortion_model == gs::DistortionModel::Equidistant ||
      lens.distortion_model == gs::DistortionModel::Rational)
    throw gs::Error({.code = gs::ErrorCode::InvalidCalibration,
                     .component = "drivesim_dataset_converter",
                     .message = camera.frame_id + " has a lens that DriveStudio does not know (" +
                                std::string(gs::wordOf(lens.distortion_model)) + ")",
                     .details = {{"camera", camera.frame_id}},
                     .suggestion = "Use training.backend: native, which renders every lens, or "
                                   "leave the camera out of topics.cameras."});
  const double sx = kWidth / camera.image_width, sy = kHeight / camera.image_height;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", lens.fx * sx, lens.fy * sy,
                     (lens.cx + 0.5) * sx - 0.5, (lens.cy + 0.5) * sy - 0.5, lens.k1, lens.k2,
                     lens.p1, lens.p2, lens.k3.value_or(0));
}

// DriveStudio looks for .jpg only.
void placeJpeg(const fs::path& from, const fs::path& to) {
  if (from.extension() == ".jpg") return gs::hardLinkOrCopy(from, to);
  const std::string bytes = gs::readTextFile(from, uint64_t{1} << 30);
  const auto jpeg =
      gs::encodeJpeg(gs::decodeCompressedImage(gs::asBytes(bytes), from.string()), 95);
  gs::writeFile(to, gs::Bytes(jpeg));
}

// float32 x y z intensity, in the frame of the LiDAR.
std::string scanBytes(const gs::PcdCloud& cloud, const gs::Rigid3& lidar_from_base) {
  std::string bytes;
  bytes.reserve(16 * cloud.positions.size());
  for (size_t i = 0; i < cloud.positions.size(); ++i) {
    const auto& p = cloud.positions[i];
    const gs::Vec3 q = lidar_from_base * gs::Vec3(p[0], p[1], p[2]);
    const std::array<float, 4> row = {static_cast<float>(q.x()), static_cast<float>(q.y()),
                                      static_cast<float>(q.z()),
                                      cloud.intensity.empty() ? 0.0f : cloud.intensity[i]};
    gs::appendBytes(bytes, row);
  }
  return bytes;
}

// The scan of a LiDAR nearest to a time, over all frames.
const FrameTrigger* nearestScan(const Frameset& frameset, const std::string& name, gs::Stamp at) {
  const FrameTrigger* best = nullptr;
  for (const Frame& frame : frameset.frames) {
    const auto found = frame.sensors.find(name);
    if (found == frame.sensors.end()) continue;
    const auto off = [&](const FrameTrigger& trigger) { return std::abs((trigger.stamp - at).ns); };
    if (best == nullptr || off(found->second) < off(*best)) best = &found->second;
  }
  return best;
}

}  // namespace

void writeDriveStudioDataset(const fs::path& ingest, const fs::path& folder,
                             const Frameset& frameset, const gs::Calibration& calibration,
                             const EgoTrajectory& trajectory) {
  const std::vector<std::string> masks = {"sky_masks", "dynamic_masks/all", "dynamic_masks/human",
                                          "dynamic_masks/vehicle"};
  for (const char* name :
       {"images", "extrinsics", "intrinsics", "lidar", "lidar_pose", "instances"})
    gs::createDirectories(folder / name);
  for (const std::string& name : masks) gs::createDirectories(folder / name);
  gs::writeFile(folder / "instances/instances_info.json", "{}\n");
  gs::writeFile(folder / "instances/frame_instances.json", "{}\n");

  std::vector<const gs::CameraCalibration*> cameras;
  std::vector<std::string> names;
  std::vector<std::string> empty_masks;
  for (const auto& [id, camera] : calibration.cameras) {
    gs::writeFile(folder / fmt::format("intrinsics/{}.txt", cameras.size()), lensText(camera));
    cameras.push_back(&camera);
    names.push_back(cameraName(id));
    empty_masks.push_back(gs::encodePng(gs::Image8(camera.image_width, camera.image_height, 1)));
  }
  int step = 0;
  for (const Frame& frame : frameset.frames) {
    const bool is_complete = std::all_of(names.begin(), names.end(), [&](const auto& name) {
      const auto found = frame.sensors.find(name);
      return found != frame.sensors.end() && trajectory.at(found->second.stamp);
    });
    if (!is_complete || cameras.empty()) continue;
    for (size_t c = 0; c < cameras.size(); ++c) {
      const FrameTrigger& trigger = frame.sensors.at(names[c]);
      const std::string stem = fmt::format("{:03}_{}", step, c);
      placeJpeg(ingest / trigger.file_path, folder / "images" / (stem + ".jpg"));
      gs::writeFile(
          folder / "extrinsics" / (stem + ".txt"),
          matrixText(*trajectory.at(trigger.stamp) * cameras[c]->extrinsics.baseFromSensor()));
      for (const std::string& mask : masks)
        gs::writeFile(folder / mask / (stem + ".png"), std::string_view(empty_masks[c]));
    }
    if (!calibration.lidars.empty()) {
      const auto& [lidar_id, lidar] = *calibration.lidars.begin();
      const gs::Stamp at = frame.sensors.at(names.front()).stamp;
      const FrameTrigger* scan = nearestScan(frameset, lidarName(lidar_id), at);
      const auto pose = scan != nullptr ? trajectory.at(scan->stamp) : std::nullopt;
      if (pose) {
        const gs::Rigid3 base_from_lidar = lidar.extrinsics.baseFromSensor();
        const gs::PcdCloud cloud = gs::readPcd(*gs::openFile(ingest / scan->file_path));
        gs::writeFile(folder / fmt::format("lidar/{:03}.bin", step),
                      scanBytes(cloud, base_from_lidar.inverse()));
        gs::writeFile(folder / fmt::format("lidar_pose/{:03}.txt", step),
                      matrixText(*pose * base_from_lidar));
      }
    }
    ++step;
  }
}

}  // namespace gs_builder
