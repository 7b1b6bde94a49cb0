// SPDX-License-Identifier: Apache-2.0
#include "scan_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "gs/core/file.hpp"
#include "gs/geometry/testing/sample_scans.hpp"

namespace {

void writeScans(const gs::SampleDriveTruth& truth, const std::filesystem::path& path) {
  fmt::print(stderr, "making the scans of the drive ...\n");
  const gs::SampleScans sample = gs::makeSampleScans(truth);
  std::string bytes;
  for (size_t i = 0; i < sample.scans.size(); ++i) {
    const uint64_t count = sample.scans[i].points.size();
    bytes.append(reinterpret_cast<const char*>(&count), 8);
    bytes.append(reinterpret_cast<const char*>(sample.scans[i].points.data()), 16 * count);
    bytes.append(reinterpret_cast<const char*>(sample.things[i].data()), count);
  }
  gs::writeFileAtomically(path, bytes);
}

}  // namespace

ScanFile::ScanFile(const gs::SampleDriveTruth& truth, const std::filesystem::path& path)
    : path_(path) {
  if (!std::filesystem::exists(path)) writeScans(truth, path);
  std::ifstream in(path, std::ios::binary);
  const auto& [id, lidar] = *truth.options.rig.lidars.begin();
  const double half_turn = 0.5 / lidar.rate_hz;
  uint64_t count = 0;
  std::streamoff offset = 0;
  for (int64_t k = 0; in.read(reinterpret_cast<char*>(&count), 8); ++k) {
    const gs::Duration at = gs::lidarTime(truth.options, id, k);
    const double middle = gs::toSeconds(gs::sweepBegin(truth.options, id, k)) + half_turn;
    gs::PosedScan scan{.stamp = gs::kSampleDriveStart + at,
                       .map_from_base = truth.motion.mapFromBase(gs::toSeconds(at))};
    scan.sensor_in_base =
        scan.map_from_base.inverse() *
        (truth.motion.mapFromBase(middle) * lidar.extrinsics.baseFromSensor()).translation;
    trajectory.push_back(scan.map_from_base);
    heads_.push_back({scan, offset + 8, count});
    offset += 8 + static_cast<std::streamoff>(17 * count);
    in.seekg(offset);
  }
}

gs::ScanSource ScanFile::source() const {
  return {heads_.size(), [this](size_t i) { return load(i); }};
}

gs::PosedScan ScanFile::load(size_t i) const {
  gs::PosedScan scan = heads_[i].scan;
  scan.points.resize(heads_[i].count);
  std::ifstream in(path_, std::ios::binary);
  in.seekg(heads_[i].offset);
  in.read(reinterpret_cast<char*>(scan.points.data()),
          static_cast<std::streamsize>(16 * heads_[i].count));
  return scan;
}

std::vector<gs::Thing> ScanFile::loadTruth(size_t i) const {
  std::vector<gs::Thing> things(heads_[i].count);
  std::ifstream in(path_, std::ios::binary);
  in.seekg(heads_[i].offset + static_cast<std::streamoff>(16 * heads_[i].count));
  in.read(reinterpret_cast<char*>(things.data()), static_cast<std::streamsize>(heads_[i].count));
  return things;
}
