// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "gs/geometry/posed_scan.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/thing.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {

// What a perfect ingest would make of a made drive's first LiDAR, straight from its truth: no log
// in between.
struct SampleScans {
  std::vector<Rigid3> trajectory;          // map_from_base at the stamp of every scan of the drive
  std::vector<PosedScan> scans;            // motion-compensated to their stamps
  std::vector<std::vector<Thing>> things;  // truth, per point
};
// Every `stride`-th scan of the drive.
SampleScans makeSampleScans(const SampleDriveTruth& truth, size_t stride = 1);

ScanSource sourceOf(const std::vector<PosedScan>& scans);  // keeps a reference

// The drive's cameras, every `stride`-th image, rendered when asked for.
ImageSource makeSampleImages(const SampleDriveTruth& truth,
                             std::shared_ptr<const TownRenderer> renderer, size_t stride = 1);

}  // namespace gs
