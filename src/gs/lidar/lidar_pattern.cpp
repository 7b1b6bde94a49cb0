// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr int kMaxChannels = 4096;
constexpr double kMaxRays = 16'777'216;

[[noreturn]] void refuse(const std::string& id, const std::string& what) {
  throw Error({.code = ErrorCode::InvalidCalibration,
               .component = "lidar_generator",
               .message = fmt::format("LiDAR '{}' cannot be simulated: {}", id, what),
               .details = {{"lidar", id}},
               .suggestion = "Correct its spec in sensors/calibration.yaml."});
}

bool isElevation(double degrees) { return std::abs(degrees) <= 90; }  // false for NaN
bool isHeight(double metres) { return std::abs(metres) <= 10; }

std::vector<double> elevationsOf(const LidarSpec& spec) {
  std::vector<double> degrees = spec.vertical_angles_deg;
  if (degrees.empty())
    for (int i = 0; i < spec.channels; ++i) {
      const double f = spec.channels > 1 ? static_cast<double>(i) / (spec.channels - 1) : 0.5;
      degrees.push_back(spec.vertical_fov_deg[0] +
                        f * (spec.vertical_fov_deg[1] - spec.vertical_fov_deg[0]));
    }
  return degrees;
}

void check(const LidarSpec& spec, double rate_hz, const std::string& id) {
  if (spec.channels < 1 || spec.channels > kMaxChannels)
    refuse(id, fmt::format("channels = {}, not within 1 and {}", spec.channels, kMaxChannels));
  if (!spec.vertical_angles_deg.empty() &&
      spec.vertical_angles_deg.size() != static_cast<size_t>(spec.channels))
    refuse(id, fmt::format("{} channels have {} vertical angles", spec.channels,
                           spec.vertical_angles_deg.size()));
  if (spec.vertical_offsets && spec.vertical_offsets->size() != spec.vertical_angles_deg.size())
    refuse(id, fmt::format("{} vertical angles have {} vertical offsets",
                           spec.vertical_angles_deg.size(), spec.vertical_offsets->size()));
  const double step = spec.horizontal_resolution_deg;
  if (!(step > 0 && step <= 360))
    refuse(id, fmt::format("horizontal_resolution = {} degrees", step));
  if (!(std::round(360 / step) * spec.channels <= kMaxRays))
    refuse(id, fmt::format("a turn of {} channels by {} degrees has more than {} rays",
                           spec.channels, step, kMaxRays));
  if (!(spec.min_range >= 0 && spec.max_range > spec.min_range && std::isfinite(spec.max_range)))
    refuse(id, fmt::format("ranges from {} m to {} m", spec.min_range, spec.max_range));
  if (!(rate_hz >= 0.25 && std::isfinite(rate_hz)))  // times within a sweep are 32 bits of ns
    refuse(id, fmt::format("rate_hz = {}", rate_hz));
}

}  // namespace

LidarPattern makeLidarPattern(const LidarSpec& spec, double rate_hz, const std::string& id) {
  check(spec, rate_hz, id);
  LidarPattern pattern;
  const std::vector<double> elevations = elevationsOf(spec);
  if (!std::all_of(elevations.begin(), elevations.end(), isElevation))
    refuse(id, "an elevation is not within -90 and 90 degrees");
  std::vector<double> heights(elevations.size(), 0.0);
  if (spec.vertical_offsets) heights = *spec.vertical_offsets;
  if (!std::all_of(heights.begin(), heights.end(), isHeight))
    refuse(id, "a vertical offset is not within -10 and 10 m");
  std::vector<size_t> order(elevations.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return elevations[a] < elevations[b]; });
  for (const size_t channel : order) {
    pattern.elevations.push_back(elevations[channel] * kRadians);
    pattern.heights.push_back(heights[channel]);
  }
  const auto columns = std::lround(360 / spec.horizontal_resolution_deg);
  for (long column = 0; column < std::max(1l, columns); ++column) {
    const double turn = static_cast<double>(column) / static_cast<double>(std::max(1l, columns));
    pattern.azimuths.push_back(std::numbers::pi * (1 - 2 * turn));
    pattern.column_times_ns.push_back(static_cast<uint32_t>(std::llround(1e9 / rate_hz * turn)));
  }
  return pattern;
}

}  // namespace gs
