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
constexpr size_t kOctet = 8;  // lanes of RayOctet
constexpr auto kMaxRays = static_cast<double>(kMaxLidarRays);

[[noreturn]] void refuse(const std::string& id, const std::string& what) {
  throw Error({.code = ErrorCode::InvalidCalibration,
               .component = "lidar_generator",
               .message = fmt::format("LiDAR '{}' cannot be simulated: {}", id, what),
               .details = {{"lidar", id}},
               .suggestion = "Correct its spec in sensors/calibration.yaml."});
}

Vec3 directionOf(double azimuth, double elevation) {
  const double flat = std::cos(elevation);
  return {flat * std::cos(azimuth), flat * std::sin(azimuth), std::sin(elevation)};
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

void checkSensor(const LidarSpec& spec, double rate_hz, const std::string& id) {
  if (!(spec.min_range >= 0 && spec.max_range > spec.min_range && std::isfinite(spec.max_range)))
    refuse(id, fmt::format("ranges from {} m to {} m", spec.min_range, spec.max_range));
  if (!(rate_hz >= 0.25 && std::isfinite(rate_hz)))  // times within a sweep are 32 bits of ns
    refuse(id, fmt::format("rate_hz = {}", rate_hz));
}

void checkTurn(const LidarSpec& spec, const std::string& id) {
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
}

LidarMoment momentAt(double part, double rate_hz) {
  return {part, static_cast<uint32_t>(std::llround(1e9 / rate_hz * part))};
}

// How far along Hilbert's curve a cell of a 65536 x 65536 square is: the curve goes from each cell
// to one beside it, so that near numbers are near places.
uint32_t alongCurve(uint32_t x, uint32_t y) {
  constexpr uint32_t kLast = 65535;
  uint32_t distance = 0;
  for (uint32_t half = 32768; half > 0; half /= 2) {
    const bool is_right = (x & half) != 0, is_up = (y & half) != 0;
    distance += half * half * (is_right ? 3u - is_up : is_up + 0u);
    if (is_up) continue;
    if (is_right) x = kLast - x, y = kLast - y;
    std::swap(x, y);
  }
  return distance;
}

uint32_t placeOf(const Vec3& direction) {
  // A degree of elevation counts as much as one of azimuth.
  constexpr double kSteps = 65535 / (2 * std::numbers::pi);
  const double azimuth = std::numbers::pi + std::atan2(direction.y(), direction.x());
  const double elevation = std::numbers::pi / 2 + std::asin(std::clamp(direction.z(), -1.0, 1.0));
  return alongCurve(static_cast<uint32_t>(kSteps * azimuth),
                    static_cast<uint32_t>(kSteps * elevation));
}

// Whether rays that follow each other go the same way, as of a beam that is drawn over the scene.
// Measured with a rosette in a street: such a list is cast a tenth faster as it is than along the
// curve, one that jumps between four beams two to three times slower.
bool isSteady(const std::vector<LidarRay>& rays) {
  const double narrow = std::cos(2 * kRadians);
  size_t wide = 0;
  for (size_t i = 0; i < rays.size(); ++i)
    wide += rays[i].direction.dot(rays[i / kOctet * kOctet].direction) < narrow;
  return wide <= rays.size() / 10;
}

// Two channels by four columns, or eight columns of a single channel.
std::vector<uint32_t> octetsOfGrid(size_t columns, size_t channels) {
  const size_t high = std::min<size_t>(channels, 2), wide = kOctet / high;
  std::vector<uint32_t> order;
  order.reserve((columns + wide) * (channels + high));
  for (size_t column = 0; column < columns; column += wide)
    for (size_t ring = 0; ring < channels; ring += high)
      for (size_t lane = 0; lane < kOctet; ++lane) {
        const size_t c = std::min(column + lane / high, columns - 1);
        const size_t r = std::min(ring + lane % high, channels - 1);
        order.push_back(static_cast<uint32_t>(c * channels + r));
      }
  return order;
}

}  // namespace

LidarPattern makeSpinningPattern(const LidarSpec& spec, double rate_hz, const std::string& id) {
  checkTurn(spec, id);
  checkSensor(spec, rate_hz, id);
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
  const auto columns =
      static_cast<size_t>(std::max(1l, std::lround(360 / spec.horizontal_resolution_deg)));
  LidarPattern pattern{.grid = LidarPattern::Grid{.columns = columns}};
  for (const size_t channel : order)
    pattern.grid->elevations.push_back(elevations[channel] * kRadians);
  pattern.rays.reserve(columns * order.size());
  for (size_t column = 0; column < columns; ++column) {
    const double turn = static_cast<double>(column) / static_cast<double>(columns);
    const double azimuth = std::numbers::pi * (1 - 2 * turn);
    for (size_t ring = 0; ring < order.size(); ++ring)
      pattern.rays.push_back({.direction = directionOf(azimuth, pattern.grid->elevations[ring]),
                              .height = static_cast<float>(heights[order[ring]]),
                              .moment = static_cast<uint32_t>(column),
                              .ring = static_cast<uint16_t>(ring)});
    pattern.moments.push_back(momentAt(turn, rate_hz));
  }
  return pattern;
}

LidarPattern makeLidarPattern(const std::string& id, const LidarCalibration& lidar,
                              const LidarRayTable* rays, std::optional<double> rate_hz) {
  const double rate = rate_hz.value_or(lidar.rate_hz);
  if (!lidar.spec.pattern) return makeSpinningPattern(lidar.spec, rate, id);
  checkSensor(lidar.spec, rate, id);
  if (!rays || rays->rows.empty() || rays->rows.size() > kMaxLidarRays)
    refuse(id, fmt::format("its pattern '{}' has no rays, or too many", *lidar.spec.pattern));
  LidarPattern pattern;
  pattern.rays.reserve(rays->rows.size());
  for (const LidarRayTable::Row& row : rays->rows) {
    const double part = row.time_sec * lidar.rate_hz;
    if (!(part >= 0 && part < 1) || !(std::abs(row.azimuth_deg) <= 360) ||
        !isElevation(row.elevation_deg))
      refuse(id, fmt::format("a ray at {}, {} degrees leaves after {} of the sweep",
                             row.azimuth_deg, row.elevation_deg, part));
    if (pattern.moments.empty() || pattern.moments.back().part != part)
      pattern.moments.push_back(momentAt(part, rate));
    pattern.rays.push_back(
        {.direction = directionOf(row.azimuth_deg * kRadians, row.elevation_deg * kRadians),
         .moment = static_cast<uint32_t>(pattern.moments.size() - 1),
         .ring = row.ring});
  }
  return pattern;
}

std::vector<uint32_t> octetsOf(const LidarPattern& pattern) {
  if (pattern.grid) return octetsOfGrid(pattern.grid->columns, pattern.grid->elevations.size());
  std::vector<uint32_t> order(pattern.rays.size());
  std::iota(order.begin(), order.end(), 0u);
  if (!isSteady(pattern.rays)) {
    std::vector<uint32_t> places;
    for (const LidarRay& ray : pattern.rays) places.push_back(placeOf(ray.direction));
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return places[a] < places[b]; });
  }
  while (order.size() % kOctet != 0) order.push_back(order.back());
  return order;
}

}  // namespace gs
