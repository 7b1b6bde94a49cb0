// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/lidar_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "gs/core/check.hpp"

namespace gs_builder {
namespace {

constexpr double kOwnBody = 1.5;     // m, as in gs/geometry/integrate_scans.hpp
constexpr double kGroundBand = 0.2;  // m above and below the ground map
constexpr double kEdge = 1.3;        // ratio of neighbouring ranges that is no plane any more
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double percentile(std::vector<float> values, double fraction) {
  if (values.empty()) return kNaN;
  const auto place = values.begin() +
                     static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

gs::Vec3 SweepGrid::direction(size_t column, size_t ring) const {
  const double azimuth =
      std::numbers::pi * (1 - 2 * static_cast<double>(column) / static_cast<double>(columns));
  const double flat = std::cos(elevations[ring]);
  return {flat * std::cos(azimuth), flat * std::sin(azimuth), std::sin(elevations[ring])};
}

std::optional<GridPlace> findPlace(const SweepGrid& grid, const gs::Vec3& direction) {
  const double flat = std::hypot(direction.x(), direction.y());
  if (!(flat > 0) || !std::isfinite(flat) || grid.columns == 0 || grid.rings() == 0) return {};
  const double elevation = std::atan2(direction.z(), flat);
  const auto& rings = grid.elevations;
  // Half a step beyond the outermost rings still belongs to them.
  const double slack = rings.size() < 2 ? 0.01
                                        : (rings.back() - rings.front()) /
                                              static_cast<double>(2 * (rings.size() - 1));
  if (!(elevation > rings.front() - slack && elevation < rings.back() + slack)) return {};
  GridPlace place;
  const auto above = std::lower_bound(rings.begin(), rings.end(), elevation);
  place.above = std::min(static_cast<size_t>(above - rings.begin()), rings.size() - 1);
  place.below = place.above == 0 || elevation >= rings.back() ? place.above : place.above - 1;
  const double span = rings[place.above] - rings[place.below];
  if (span > 0) place.ring_part = std::clamp((elevation - rings[place.below]) / span, 0.0, 1.0);
  place.ring = place.ring_part > 0.5 ? place.above : place.below;

  const double turn = (1 - std::atan2(direction.y(), direction.x()) / std::numbers::pi) / 2;
  const double column = turn * static_cast<double>(grid.columns);
  place.left = static_cast<size_t>(column) % grid.columns;
  place.right = (place.left + 1) % grid.columns;
  place.column_part = column - std::floor(column);
  place.column = place.column_part > 0.5 ? place.right : place.left;
  return place;
}

double rangeToward(const SweepGrid& grid, const GridPlace& place) {
  const std::array<float, 4> around = {
      grid.at(place.left, place.below), grid.at(place.right, place.below),
      grid.at(place.left, place.above), grid.at(place.right, place.above)};
  const double u = place.column_part, v = place.ring_part;
  // Rings meet the ground far apart, so above and below may differ more than left and right.
  const auto isOneSurface = [](float a, float b, double ratio) {
    return a > 0 && b > 0 && std::max(a, b) <= ratio * std::min(a, b);
  };
  if (!isOneSurface(around[0], around[1], kEdge) || !isOneSurface(around[2], around[3], kEdge) ||
      !isOneSurface(around[0], around[2], kEdge * kEdge) ||
      !isOneSurface(around[1], around[3], kEdge * kEdge))
    return grid.at(place.column, place.ring);
  return 1 / ((1 - v) * ((1 - u) / around[0] + u / around[1]) +
              v * ((1 - u) / around[2] + u / around[3]));
}

std::vector<ComparedReturn> LidarComparer::add(const SweepGrid& simulated, const ScanPoints& scan,
                                               const std::vector<uint32_t>& moving,
                                               const gs::Rigid3& base_from_lidar,
                                               const gs::Rigid3& map_from_base) {
  GS_CHECK(simulated.ranges.size() == simulated.columns * simulated.rings());
  std::vector<bool> is_moving(scan.size());
  for (const uint32_t index : moving)
    if (index < scan.size()) is_moving[index] = true;
  std::vector<bool> is_seen(simulated.ranges.size());
  std::vector<ComparedReturn> compared;
  const gs::Rigid3 lidar_from_base = base_from_lidar.inverse();
  for (size_t i = 0; i < scan.size(); ++i) {
    const gs::Vec3 p_in_base(scan[i][0], scan[i][1], scan[i][2]);
    const gs::Vec3 p = lidar_from_base * p_in_base;
    const double range = p.norm();
    if (!(range >= kOwnBody)) continue;  // NaN, too
    const auto place = findPlace(simulated, p);
    if (!place) continue;
    // The recorded ray went out while the vehicle moved: a neighbour may be the one that met it.
    for (const size_t column :
         {place->column + simulated.columns - 1, place->column, place->column + 1})
      for (size_t ring = place->below; ring <= place->above; ++ring)
        is_seen[column % simulated.columns * simulated.rings() + ring] = true;
    if (is_moving[i]) {
      ++moving_;
      continue;
    }
    const gs::Vec3 p_in_map = map_from_base * p_in_base;
    const double height = p_in_map.z() - heightAt(ground_, p_in_map.x(), p_in_map.y());
    Sums& sums = std::abs(height) < kGroundBand ? ground_returns_ : other_returns_;
    ++sums.recorded;
    const double there = rangeToward(simulated, *place);
    compared.push_back({p, there > 0 ? there - range : kNaN});
    if (!(there > 0)) continue;
    sums.errors.push_back(static_cast<float>(std::abs(there - range)));
    errors_.add(there - range);
  }
  for (size_t i = 0; i < simulated.ranges.size(); ++i)
    if (simulated.ranges[i] > 0) {
      ++simulated_;
      confirmed_ += is_seen[i];
    }
  ++scans_;
  return compared;
}

RangeAgreement LidarComparer::Sums::result() const {
  RangeAgreement agreement{.recorded = recorded,
                           .returned = errors.size(),
                           .median = percentile(errors, 0.5),
                           .percentile_90 = percentile(errors, 0.9)};
  if (errors.empty()) return agreement;
  const auto within = [&](float limit) {
    return static_cast<double>(
               std::count_if(errors.begin(), errors.end(), [&](float e) { return e <= limit; })) /
           static_cast<double>(recorded);
  };
  agreement.within_10_cm = within(0.1f);
  agreement.within_30_cm = within(0.3f);
  return agreement;
}

LidarComparison LidarComparer::result() const {
  Sums all = ground_returns_;
  all.recorded += other_returns_.recorded;
  all.errors.insert(all.errors.end(), other_returns_.errors.begin(), other_returns_.errors.end());
  return {.scans = scans_,
          .all = all.result(),
          .ground = ground_returns_.result(),
          .other = other_returns_.result(),
          .simulated = simulated_,
          .confirmed = confirmed_,
          .errors = errors_,
          .moving = moving_};
}

}  // namespace gs_builder
