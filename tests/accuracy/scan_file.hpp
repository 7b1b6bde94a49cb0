// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gs/geometry/posed_scan.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/thing.hpp"

// The scans of a made drive in one file, as a stage of the builder would find them on disk; made
// when the file is not there.
class ScanFile {
 public:
  ScanFile(const gs::SampleDriveTruth& truth, const std::filesystem::path& path);

  gs::ScanSource source() const;
  gs::PosedScan load(size_t i) const;
  std::vector<gs::Thing> loadTruth(size_t i) const;

  std::vector<gs::Rigid3> trajectory;

 private:
  struct Head {
    gs::PosedScan scan;  // without points
    std::streamoff offset;
    size_t count;
  };
  std::filesystem::path path_;
  std::vector<Head> heads_;
};
