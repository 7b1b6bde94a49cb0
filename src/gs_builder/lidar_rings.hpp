// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gs/formats/point_cloud2.hpp"

namespace gs_builder {

// Which laser each point of some scans is of. Numbers are the same in all scans and say nothing
// about elevation; a point whose laser is not known has kNoRing, a scan that does not fit the
// others has no numbers at all.
struct LidarRings {
  static constexpr uint16_t kNoRing = 0xffff;

  std::vector<std::vector<uint16_t>> of_points;  // by scan, by point
  size_t count = 0;
};

// From the ring column, where all scans have one.
std::optional<LidarRings> ringsByColumn(const std::vector<gs::LidarPoints>& scans);

// From the order of points, where they stand laser by laser: along one laser the azimuth turns
// once, so the turns made so far are the laser's number. This is how KITTI's files are written.
std::optional<LidarRings> ringsByOrder(const std::vector<gs::LidarPoints>& scans);

// From the place in a full grid, one row or column per laser, where drivers leave the points that
// never came back in it (at the origin).
std::optional<LidarRings> ringsByGrid(const std::vector<gs::LidarPoints>& scans);

// From peaks of how often each elevation occurs: points of one laser lie on a cone about the
// sensor. Blurs where lasers have different origins, or the motion was taken out of the scans.
LidarRings ringsByElevation(const std::vector<gs::LidarPoints>& scans);

double elevationDegOf(const std::array<float, 3>& p);

}  // namespace gs_builder
