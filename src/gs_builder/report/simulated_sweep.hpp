// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "gs/lidar/lidar_model.hpp"

// A simulated sweep that can be asked in any direction, also between its rays.
namespace gs_builder {

// Of a sensor that turns: the grid that it was shot in, columns clockwise seen from above, the
// first one backwards.
struct SweepGrid {
  std::vector<double> elevations;  // rad, ascending: the rings
  size_t columns = 0;
  std::vector<float> ranges;  // m, [column * rings + ring]; 0: nothing came back

  size_t rings() const { return elevations.size(); }
  float at(size_t column, size_t ring) const { return ranges[column * rings() + ring]; }
  gs::Vec3 direction(size_t column, size_t ring) const;  // in the frame of the LiDAR
  gs::Vec3 direction(size_t ray) const { return direction(ray / rings(), ray % rings()); }
};

// A direction as a place in the grid. Empty above the highest and below the lowest ring.
struct GridPlace {
  size_t column = 0, ring = 0;            // nearest
  size_t left = 0, right = 0;             // columns around it
  size_t below = 0, above = 0;            // rings around it
  double column_part = 0, ring_part = 0;  // 0 at left and below, 1 at right and above
};
std::optional<GridPlace> findPlace(const SweepGrid& grid, const gs::Vec3& direction);

// The simulated range between the rays of the grid: 1/range is linear on planes; across an edge the
// nearest ray counts. 0: nothing comes back from there.
double rangeToward(const SweepGrid& grid, const GridPlace& place);

// Rays that may have met what was recorded in this direction: the vehicle moved meanwhile.
std::vector<size_t> raysAround(const SweepGrid& grid, const GridPlace& place);

// Of any other sensor: rays in no order.
class SweepList {
 public:
  std::vector<float> ranges;  // m, of each ray; 0: nothing came back

  SweepList(std::vector<gs::Vec3> directions, std::vector<float> ranges);

  const gs::Vec3& direction(size_t ray) const { return directions_[ray]; }
  // Up to `count` rays, the nearest first; none where the nearest is farther away than rays
  // usually are from each other.
  std::vector<uint32_t> nearest(const gs::Vec3& direction, size_t count) const;

 private:
  std::vector<gs::Vec3> directions_;  // unit length
  double cell_ = 0;                   // edge of a cell of the unit sphere's cube
  std::unordered_map<uint64_t, std::vector<uint32_t>> cells_;
};

// A direction among rays.
struct ListPlace {
  gs::Vec3 direction;          // unit length
  std::vector<uint32_t> rays;  // around it, the nearest first
};
std::optional<ListPlace> findPlace(const SweepList& list, const gs::Vec3& direction);
double rangeToward(const SweepList& list, const ListPlace& place);  // as that of a grid
std::vector<size_t> raysAround(const SweepList& list, const ListPlace& place);

using SimulatedSweep = std::variant<SweepGrid, SweepList>;

// What a LiDAR at rest measures, without noise.
SimulatedSweep simulateSweep(const gs::LidarModel& lidar, const gs::LidarWorld& world,
                             const gs::Rigid3& map_from_base);

// The points of a sweep, in the frame of the LiDAR.
std::vector<gs::Vec3> pointsOf(const SimulatedSweep& sweep);

}  // namespace gs_builder
