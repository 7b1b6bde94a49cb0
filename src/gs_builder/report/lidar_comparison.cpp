// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/lidar_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs_builder {
namespace {

constexpr double kOwnBody = 1.5;     // m, as in gs/geometry/integrate_scans.hpp
constexpr double kGroundBand = 0.2;  // m above and below the ground map
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double percentile(std::vector<float> values, double fraction) {
  if (values.empty()) return kNaN;
  const auto place = values.begin() +
                     static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

std::vector<ComparedReturn> LidarComparer::add(const SimulatedSweep& simulated,
                                               const ScanPoints& scan,
                                               const std::vector<uint32_t>& moving,
                                               const gs::Rigid3& base_from_lidar,
                                               const gs::Rigid3& map_from_base) {
  return std::visit(
      [&](const auto& sweep) {
        return addSweep(sweep, scan, moving, base_from_lidar, map_from_base);
      },
      simulated);
}

template <typename Sweep>
std::vector<ComparedReturn> LidarComparer::addSweep(const Sweep& simulated, const ScanPoints& scan,
                                                    const std::vector<uint32_t>& moving,
                                                    const gs::Rigid3& base_from_lidar,
                                                    const gs::Rigid3& map_from_base) {
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
    for (const size_t ray : raysAround(simulated, *place)) is_seen[ray] = true;
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
