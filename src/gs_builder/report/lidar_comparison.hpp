// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/rigid3.hpp"
#include "gs_builder/lidar_in_image.hpp"
#include "gs_builder/report/svg_chart.hpp"

// Simulated sweeps against recorded ones, ray by ray.
namespace gs_builder {

// A simulated sweep as the grid that it was shot in: columns clockwise seen from above, the first
// one backwards.
struct SweepGrid {
  std::vector<double> elevations;  // rad, ascending: the rings
  size_t columns = 0;
  std::vector<float> ranges;  // m, [column * rings + ring]; 0: nothing came back

  size_t rings() const { return elevations.size(); }
  float at(size_t column, size_t ring) const { return ranges[column * rings() + ring]; }
  gs::Vec3 direction(size_t column, size_t ring) const;  // in the frame of the LiDAR
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

struct RangeAgreement {
  size_t recorded = 0;  // returns of the recording, without moving things and the ego's own body
  size_t returned = 0;  // of these, the simulation returns too
  // Of the absolute difference of range, over what both return; NaN when there is none.
  double median = 0, percentile_90 = 0;  // m
  // Shares of all recorded returns: one that the simulation misses is as wrong as one far off.
  double within_10_cm = 0, within_30_cm = 0;

  double coverage() const {
    return recorded == 0 ? 0 : static_cast<double>(returned) / static_cast<double>(recorded);
  }
};

struct LidarComparison {
  size_t scans = 0;
  RangeAgreement all, ground, other;    // other: walls, cars, poles, everything off the ground
  size_t simulated = 0, confirmed = 0;  // simulated returns; those the recording has, too
  Histogram errors{-1, 1, 40};          // m, simulated minus recorded
  bool knows_moving = false;            // points on moving things are left out
  size_t moving = 0;                    // so many

  double confirmation() const {
    return simulated == 0 ? 0 : static_cast<double>(confirmed) / static_cast<double>(simulated);
  }
};

// How a recorded return fares in the simulation; index as in the scan.
struct ComparedReturn {
  gs::Vec3 p_in_lidar;
  double error = 0;  // m, simulated minus recorded; NaN: the simulation returns nothing
};

// Takes one scan after the other.
class LidarComparer {
 public:
  explicit LidarComparer(const gs::Heightmap& ground) : ground_(ground) {}

  // `scan` is in base_link at its stamp; `moving` are indices in it.
  std::vector<ComparedReturn> add(const SweepGrid& simulated, const ScanPoints& scan,
                                  const std::vector<uint32_t>& moving,
                                  const gs::Rigid3& base_from_lidar,
                                  const gs::Rigid3& map_from_base);
  LidarComparison result() const;

 private:
  struct Sums {
    size_t recorded = 0;
    std::vector<float> errors;  // absolute
    RangeAgreement result() const;
  };
  const gs::Heightmap& ground_;
  size_t scans_ = 0, simulated_ = 0, confirmed_ = 0, moving_ = 0;
  Sums ground_returns_, other_returns_;
  Histogram errors_ = LidarComparison{}.errors;
};

}  // namespace gs_builder
