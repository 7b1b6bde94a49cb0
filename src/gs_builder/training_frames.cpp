// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_frames.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "gs/bundle/calibration.hpp"
#include "gs/render/splat_renderer.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/lidar_in_image.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/recorded_frames.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

// The scans of one LiDAR, by time.
struct LidarScans {
  std::vector<ScanFile> files;
  std::vector<gs::Stamp> stamps;
  MovingPoints moving;

  std::vector<uint32_t> movingOf(size_t scan) const {
    const auto found = moving.find(stamps[scan]);
    return found == moving.end() ? std::vector<uint32_t>() : found->second;
  }
};

struct Frames {
  EgoTrajectory trajectory;
  gs::Calibration calibration;
  std::map<std::string, LidarScans> lidars;  // by id
  std::vector<gs::TrainingImage> images;
  std::vector<fs::path> files;
};

std::vector<SeenPoint> pointsOf(const Frames& frames, const ScanFile& file,
                                const gs::TrainingImage& image) {
  const gs::PosedScan scan = loadScan(file, frames.trajectory);
  ScanPoints points;
  for (const gs::ScanPoint& p : scan.points) points.push_back({p.x, p.y, p.z});
  const gs::Rigid3 opencv_from_map =
      gs::mapFromOpencv({.camera = image.camera, .map_from_camera = image.map_from_camera})
          .inverse();
  return pointsInImage(gs::Lens(image.camera), {image.camera.width, image.camera.height},
                       opencv_from_map * scan.map_from_base, points);
}

// What the nearest scan of each LiDAR saw, but for what moves and what is hidden from the camera.
std::vector<gs::DepthSample> depthsOf(const Frames& frames, const gs::TrainingImage& image) {
  std::vector<gs::DepthSample> samples;
  for (const auto& [id, scans] : frames.lidars) {
    const std::vector<size_t> around = scansAround(scans.stamps, image.stamp);
    if (around.empty()) continue;
    const size_t nearest = around.front();
    std::vector<SeenPoint> points = pointsOf(frames, scans.files[nearest], image);
    removeIndices(points, scans.movingOf(nearest));
    const double spacing =
        lineSpacing(frames.calibration, lidarName(id), image.camera.intrinsics.fy);
    for (const SeenPoint& p :
         withoutHidden(points, {image.camera.width, image.camera.height}, spacing))
      samples.push_back({static_cast<float>(p.px.x()), static_cast<float>(p.px.y()),
                         static_cast<float>(p.depth)});
  }
  return samples;
}

gs::Image8 maskOf(const Frames& frames, const gs::TrainingImage& image) {
  std::vector<SeenPoint> on_movers;
  for (const auto& [id, scans] : frames.lidars)
    for (const size_t scan : scansAround(scans.stamps, image.stamp)) {
      const std::vector<uint32_t> moving = scans.movingOf(scan);
      if (moving.empty()) continue;
      std::vector<SeenPoint> points = pointsOf(frames, scans.files[scan], image);
      keepIndices(points, moving);
      on_movers.insert(on_movers.end(), points.begin(), points.end());
    }
  return maskOfMovers({image.camera.width, image.camera.height}, on_movers,
                      image.camera.intrinsics.fx);
}

}  // namespace

gs::TrainingSet trainingFrames(const fs::path& ingest, const fs::path& calibration_folder,
                               const fs::path& geometry, const TrainingFrameOptions& options) {
  const auto calibration = readDocument<gs::Calibration>(calibration_folder / "calibration.yaml",
                                                         gs::ErrorCode::InvalidCalibration);
  const auto sensors = readDocument<RecordedSensors>(ingest / "raw_extract/sensors.json");
  auto frames = std::make_shared<Frames>();
  frames->trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  frames->calibration = calibration;
  const auto moving = readMovingPoints(geometry / "moving_points");
  for (const ScanFile& scan : listScans(ingest, sensors, calibration, frames->trajectory)) {
    LidarScans& scans = frames->lidars[sensors.lidars[scan.lidar].id];
    scans.files.push_back(scan);
    scans.stamps.push_back(scan.stamp);
  }
  for (auto& [id, scans] : frames->lidars)
    if (const auto found = moving.find(lidarName(id)); found != moving.end()) {
      scans.moving = found->second;
      for (auto& [stamp, indices] : scans.moving) std::sort(indices.begin(), indices.end());
    }
  const std::vector<DatasetImage> images =
      datasetImages(readFrameset(ingest / "frameset.json"), calibration, frames->trajectory);
  const std::vector<bool> is_held_out = heldOutOf(images, options.held_out_every);
  for (size_t i = 0; i < images.size(); ++i)
    for (const auto& [id, camera] : calibration.cameras) {
      const DatasetImage& image = images[i];
      if (cameraName(id) != image.camera) continue;
      gs::Camera lens = gs::cameraOf(camera);
      lens.convention = gs::CameraConvention::OpenCv;  // as DatasetImage has its poses
      frames->images.push_back({.camera_id = id,
                                .stamp = image.stamp,
                                .camera = lens,
                                .map_from_camera = image.map_from_camera,
                                .is_held_out = is_held_out[i]});
      frames->files.push_back(ingest / image.source);
    }
  gs::TrainingSet set;
  set.images = frames->images;
  set.load_image = [frames](size_t i) { return readRgb(frames->files[i]); };
  if (!frames->lidars.empty())
    set.load_depth = [frames](size_t i) { return depthsOf(*frames, frames->images[i]); };
  if (options.masks_moving && !moving.empty())
    set.load_mask = [frames](size_t i) { return maskOf(*frames, frames->images[i]); };
  return set;
}

}  // namespace gs_builder
