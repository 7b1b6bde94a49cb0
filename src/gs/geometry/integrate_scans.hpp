// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/geometry/map_cloud.hpp"
#include "gs/geometry/posed_scan.hpp"

namespace gs {

struct IntegrationOptions {
  double voxel_size = 0.1;
  size_t max_voxels = 24'000'000;  // beyond it voxels double in size, again and again
  double min_range = 1.5;          // m from the sensor; nearer points are the ego's own body
  double max_range = 80;           // m; farther points are too sparse to be a surface
  BaseLinkAboveGround base_link_above_ground;  // tells where the wheels stand
  bool remove_moving_objects = true;
  // How many scans per second look for free space; the rest adds points only.
  double free_space_rate_hz = 5;
  // Keep voxels with at least this many points: fewer is dust, rain or a stray reflection.
  uint32_t min_hits = 2;
  std::function<void(double)> progress;  // gets 0..1 from time to time
};

// Which places were occupied by moving things: remembered as voxels, so that the points of any
// scan can be told apart afterwards without keeping them.
class MovingRegions {
 public:
  // Indices of the scan's points that are on moving things, ascending. For masks, and to leave
  // them out elsewhere. Points that are not finite are never among them.
  std::vector<uint32_t> findIn(const PosedScan& scan) const;
  size_t voxelCount() const;
  std::vector<Vec3> positions() const;  // the middles of the voxels, in the map

  struct Voxels;  // sparse, in integrate_scans.cpp
  explicit MovingRegions(std::shared_ptr<const Voxels> voxels) : voxels_(std::move(voxels)) {}
  MovingRegions() = default;  // nothing moves

 private:
  std::shared_ptr<const Voxels> voxels_;
};

struct IntegrationResult {
  MapCloud cloud;  // static points only, sorted by place; the same for any number of threads
  MovingRegions moving;
  std::vector<Stamp> stamps;  // of the scans

  struct Counts {
    size_t scans = 0, empty_scans = 0;
    size_t points = 0;                 // in all scans
    size_t non_finite = 0;             // left out
    size_t too_near = 0, too_far = 0;  // left out: beyond min_range, max_range
    size_t moving_voxels = 0;          // removed by free-space evidence
    size_t sparse_voxels = 0;          // removed by min_hits
    int doublings = 0;                 // of voxel_size, to stay below max_voxels
  } counts;
};

// All scans into one map; one point per voxel. Things that move are removed by free-space
// evidence: where later or earlier rays pass through, nothing static stands. No labels.
// Memory follows the number of voxels, not of scans.
// Throws gs::Error: POINTCLOUD_EMPTY when no scan has a usable point, INPUT_INVALID when a pose
// is not finite or lies more than 100 km from the first, CONFIG_INVALID when options make no
// sense.
IntegrationResult integrateScans(const ScanSource& scans, const IntegrationOptions& options);

}  // namespace gs
