// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_frames.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "gs/bundle/calibration.hpp"
#include "gs/core/file.hpp"
#include "gs/render/camera.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/recorded_frames.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

// Indices of the points of a scan that lie on moving things, by LiDAR and stamp.
using MovingPoints = std::map<std::pair<size_t, int64_t>, std::vector<uint32_t>>;

// moving_points/lidar_<id>.csv, as geometry_builder writes it; what is not a number ends a line.
MovingPoints readMovingPoints(const fs::path& folder, const RecordedSensors& sensors) {
  MovingPoints moving;
  for (size_t l = 0; l < sensors.lidars.size(); ++l) {
    const fs::path file = folder / ("lidar_" + sensors.lidars[l].id + ".csv");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) continue;
    const std::string text = gs::readTextFile(file, uint64_t{1} << 32);
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
      const char* line_end = std::find(at, end, '\n');
      int64_t stamp = 0;
      auto [next, error] = std::from_chars(at, line_end, stamp);
      if (error == std::errc{}) {
        std::vector<uint32_t>& points = moving[{l, stamp}];
        for (uint32_t index = 0; next < line_end && *next == ','; points.push_back(index)) {
          const auto parsed = std::from_chars(next + 1, line_end, index);
          if (parsed.ec != std::errc{}) break;
          next = parsed.ptr;
        }
      }
      at = line_end + 1;
    }
  }
  return moving;
}

struct Frames {
  EgoTrajectory trajectory;
  std::vector<ScanFile> scans;
  MovingPoints moving;
  std::vector<gs::TrainingImage> images;
  std::vector<fs::path> files;

  // The scan nearest in time, of those at most `limit` away.
  const ScanFile* scanNear(gs::Stamp stamp, double limit_sec) const {
    const auto after =
        std::lower_bound(scans.begin(), scans.end(), stamp,
                         [](const ScanFile& scan, gs::Stamp at) { return scan.stamp < at; });
    const ScanFile* best = nullptr;
    auto nearest = static_cast<int64_t>(limit_sec * 1e9);
    for (auto it = after == scans.begin() ? after : after - 1; it != scans.end() && it <= after;
         ++it) {
      const int64_t away = std::abs(it->stamp.ns - stamp.ns);
      if (away <= nearest) nearest = away, best = &*it;
    }
    return best;
  }
};

struct SeenPoint {
  gs::Vec2 px;
  double depth;
  bool is_moving;
};

std::vector<SeenPoint> pointsIn(const Frames& frames, const ScanFile& file,
                                const gs::TrainingImage& image) {
  const gs::PosedScan scan = loadScan(file, frames.trajectory);
  std::vector<uint8_t> is_moving(scan.points.size(), 0);
  if (const auto found = frames.moving.find({file.lidar, file.stamp.ns});
      found != frames.moving.end())
    for (const uint32_t index : found->second)
      if (index < is_moving.size()) is_moving[index] = 1;
  const gs::Lens lens(image.camera);
  const gs::Rigid3 camera_from_base =
      gs::Rigid3{gs::opencvFromCamera(image.camera.convention), gs::Vec3::Zero()} *
      image.map_from_camera.inverse() * scan.map_from_base;
  std::vector<SeenPoint> seen;
  for (size_t i = 0; i < scan.points.size(); ++i) {
    const gs::ScanPoint& p = scan.points[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) continue;
    const gs::Vec3 in_camera = camera_from_base * gs::Vec3(p.x, p.y, p.z);
    if (in_camera.z() < 0.5 && !lens.isFisheye()) continue;
    const auto px = lens.pixelOf(in_camera);
    if (!px || !(px->x() >= 0) || !(px->y() >= 0) || px->x() > image.camera.width - 1 ||
        px->y() > image.camera.height - 1)
      continue;
    seen.push_back({*px, lens.depthOf(in_camera), is_moving[i] != 0});
  }
  return seen;
}

// The LiDAR sits elsewhere than the camera and sees what is hidden from it: a point is left out
// when another one nearby in the image is well before it.
std::vector<gs::DepthSample> depthsOf(const Frames& frames, const gs::TrainingImage& image) {
  const ScanFile* scan = frames.scanNear(image.stamp, 0.06);
  if (scan == nullptr) return {};
  constexpr int kCell = 8;  // px; the gap between two beams
  const int columns = image.camera.width / kCell + 1, rows = image.camera.height / kCell + 1;
  std::vector<float> nearest(static_cast<size_t>(columns) * rows,
                             std::numeric_limits<float>::infinity());
  const std::vector<SeenPoint> points = pointsIn(frames, *scan, image);
  const auto cellOf = [&](const SeenPoint& p) {
    return std::pair(static_cast<int>(p.px.x()) / kCell, static_cast<int>(p.px.y()) / kCell);
  };
  for (const SeenPoint& p : points) {
    const auto [x, y] = cellOf(p);
    float& cell = nearest[static_cast<size_t>(y) * columns + x];
    cell = std::min(cell, static_cast<float>(p.depth));
  }
  std::vector<gs::DepthSample> samples;
  for (const SeenPoint& p : points) {
    if (p.is_moving) continue;
    const auto [x, y] = cellOf(p);
    float before = std::numeric_limits<float>::infinity();
    for (int j = std::max(0, y - 1); j <= std::min(rows - 1, y + 1); ++j)
      for (int i = std::max(0, x - 1); i <= std::min(columns - 1, x + 1); ++i)
        before = std::min(before, nearest[static_cast<size_t>(j) * columns + i]);
    if (p.depth > before * 1.1 + 0.5) continue;
    samples.push_back(
        {static_cast<float>(p.px.x()), static_cast<float>(p.px.y()), static_cast<float>(p.depth)});
  }
  return samples;
}

// Discs around points on moving things, as large as the gaps between points on them.
gs::Image8 maskOf(const Frames& frames, const gs::TrainingImage& image) {
  gs::Image8 mask;
  const ScanFile* scan = frames.scanNear(image.stamp, 0.11);
  if (scan == nullptr) return mask;
  const auto size = scan - frames.scans.data();
  for (auto i = std::max<ptrdiff_t>(0, size - 1);
       i <= std::min<ptrdiff_t>(static_cast<ptrdiff_t>(frames.scans.size()) - 1, size + 1); ++i) {
    const ScanFile& file = frames.scans[static_cast<size_t>(i)];
    const auto found = frames.moving.find({file.lidar, file.stamp.ns});
    if (found == frames.moving.end() || found->second.empty()) continue;
    for (const SeenPoint& p : pointsIn(frames, file, image)) {
      if (!p.is_moving) continue;
      if (mask.pixels.empty()) {
        mask = gs::Image8(image.camera.width, image.camera.height, 1);
        std::fill(mask.pixels.begin(), mask.pixels.end(), uint8_t{255});
      }
      constexpr double kReach = 0.35;  // m
      const int radius = std::clamp(
          static_cast<int>(kReach * image.camera.intrinsics.fx / std::max(p.depth, 0.5)), 2, 60);
      const int cx = static_cast<int>(p.px.x()), cy = static_cast<int>(p.px.y());
      for (int y = std::max(0, cy - radius); y <= std::min(mask.height - 1, cy + radius); ++y)
        for (int x = std::max(0, cx - radius); x <= std::min(mask.width - 1, cx + radius); ++x)
          *mask.at(x, y) = 0;
    }
  }
  return mask;
}

}  // namespace

gs::TrainingSet trainingFrames(const fs::path& ingest, const fs::path& calibration_folder,
                               const fs::path& geometry, const TrainingFrameOptions& options) {
  const auto calibration = readDocument<gs::Calibration>(calibration_folder / "calibration.yaml",
                                                         gs::ErrorCode::InvalidCalibration);
  const auto sensors = readDocument<RecordedSensors>(ingest / "raw_extract/sensors.json");
  auto frames = std::make_shared<Frames>();
  frames->trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  frames->scans = listScans(ingest, sensors, calibration, frames->trajectory);
  frames->moving = readMovingPoints(geometry / "moving_points", sensors);
  std::map<std::string, int> count_of;
  for (const DatasetImage& image :
       datasetImages(readFrameset(ingest / "frameset.json"), calibration, frames->trajectory))
    for (const auto& [id, camera] : calibration.cameras) {
      if (camera.frame_id != image.camera) continue;
      const int n = count_of[id]++;
      gs::Camera lens = gs::cameraOf(camera);
      lens.convention = gs::CameraConvention::OpenCv;  // as DatasetImage has its poses
      frames->images.push_back(
          {.camera_id = id,
           .stamp = image.stamp,
           .camera = lens,
           .map_from_camera = image.map_from_camera,
           .is_held_out = options.held_out_every > 0 &&
                          n % options.held_out_every == options.held_out_every - 1});
      frames->files.push_back(ingest / image.source);
    }
  gs::TrainingSet set;
  set.images = frames->images;
  set.load_image = [frames](size_t i) { return readRgb(frames->files[i]); };
  if (!frames->scans.empty())
    set.load_depth = [frames](size_t i) { return depthsOf(*frames, frames->images[i]); };
  if (options.masks_moving && !frames->moving.empty())
    set.load_mask = [frames](size_t i) { return maskOf(*frames, frames->images[i]); };
  return set;
}

}  // namespace gs_builder
