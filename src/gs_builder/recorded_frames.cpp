// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/recorded_frames.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gs/core/file.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/formats/pcd.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {
namespace fs = std::filesystem;

std::vector<ScanFile> listScans(const fs::path& ingest, const RecordedSensors& sensors,
                                const gs::Calibration& calibration,
                                const EgoTrajectory& trajectory) {
  const Timeline timeline = readTimeline(ingest / "timeline.json");
  std::vector<ScanFile> scans;
  for (size_t l = 0; l < sensors.lidars.size(); ++l) {
    const RecordedSensors::Lidar& lidar = sensors.lidars[l];
    const std::string name = "lidar_" + lidar.id;
    const auto found = timeline.sensors.find(name);
    const auto mount = calibration.lidars.find(lidar.id);
    if (found == timeline.sensors.end() || mount == calibration.lidars.end()) continue;
    const fs::path folder = sensors.lidars.size() == 1 ? ingest / "raw_extract/lidar"
                                                       : ingest / "raw_extract/lidar" / name;
    const gs::Vec3 seat = mount->second.extrinsics.baseFromSensor().translation;
    const gs::Duration middle = gs::findDuration(lidar.sweep_middle).value_or(gs::Duration{});
    for (size_t i = 0; i < found->second.stamps.size(); ++i) {
      const gs::Stamp stamp = found->second.stamps[i];
      const auto at_stamp = trajectory.at(stamp), at_middle = trajectory.at(stamp + middle);
      if (!at_stamp) continue;
      scans.push_back({stamp, folder / fmt::format("{:010}.pcd", i),
                       at_middle ? at_stamp->inverse() * (*at_middle * seat) : seat, l});
    }
  }
  std::stable_sort(scans.begin(), scans.end(),
                   [](const ScanFile& a, const ScanFile& b) { return a.stamp < b.stamp; });
  return scans;
}

gs::PosedScan loadScan(const ScanFile& scan, const EgoTrajectory& trajectory) {
  const gs::PcdCloud cloud = gs::readPcd(*gs::openFile(scan.file));
  gs::PosedScan posed{.stamp = scan.stamp,
                      .map_from_base = *trajectory.at(scan.stamp),
                      .sensor_in_base = scan.sensor_in_base};
  posed.points.resize(cloud.positions.size());
  for (size_t i = 0; i < posed.points.size(); ++i) {
    const auto& p = cloud.positions[i];
    posed.points[i] = {p[0], p[1], p[2], cloud.intensity.empty() ? 0.0f : cloud.intensity[i]};
  }
  return posed;
}

gs::Image8 readRgb(const fs::path& file) {
  const std::string bytes = gs::readTextFile(file, uint64_t{1} << 30);
  const gs::Image8 image =
      gs::decodeCompressedImage(gs::asBytes(bytes), file.string(), gs::DamagedJpeg::Accept);
  if (image.channels == 3) return image;
  gs::Image8 rgb(image.width, image.height, 3);
  const size_t pixels = static_cast<size_t>(image.width) * image.height;
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c)
      rgb.pixels[3 * i + c] = image.pixels[image.channels * i + (image.channels == 1 ? 0 : c)];
  return rgb;
}

}  // namespace gs_builder
