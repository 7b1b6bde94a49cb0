// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/rigid3.hpp"
#include "gs_builder/lidar_in_image.hpp"
#include "gs_builder/report/simulated_sweep.hpp"
#include "gs_builder/report/svg_chart.hpp"

// Simulated sweeps against recorded ones, ray by ray.
namespace gs_builder {

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
  std::vector<ComparedReturn> add(const SimulatedSweep& simulated, const ScanPoints& scan,
                                  const std::vector<uint32_t>& moving,
                                  const gs::Rigid3& base_from_lidar,
                                  const gs::Rigid3& map_from_base);
  LidarComparison result() const;

 private:
  template <typename Sweep>
  std::vector<ComparedReturn> addSweep(const Sweep& simulated, const ScanPoints& scan,
                                       const std::vector<uint32_t>& moving,
                                       const gs::Rigid3& base_from_lidar,
                                       const gs::Rigid3& map_from_base);
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
